import { isScope, type Scope, scopes } from './scopes.js';

/** An external issuer whose tokens are accepted. */
export interface IssuerSettings {
  /** Exactly as in the `iss` of its tokens: some end with a slash. */
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** The claim that determines the scopes. Dots reach into objects: `realm_access.roles`. */
  readonly claim: string;
  /** Maps values of the claim to our scopes. If omitted, values that are our scopes count as they are. */
  readonly scopes: Readonly<Record<string, readonly Scope[]>> | undefined;
}

export type IssuersParsed =
  | { readonly ok: true; readonly issuers: readonly IssuerSettings[] }
  | { readonly ok: false; readonly problem: string };

const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const curveAlgorithms = ['ES256', 'ES384', 'ES512', 'EdDSA'];
/** None with a shared secret: whoever can verify such a token can also create one. */
const algorithmsAllowed = [...rsaAlgorithms, ...curveAlgorithms];

const algorithmsDefault = ['RS256', 'ES256'];
const claimDefault = 'scope';
const fields = ['issuer', 'audience', 'algorithms', 'claim', 'scopes'];

/** Parses the issuers from a JSON array. The problem has one sentence per error. */
export function parseIssuers(text: string): IssuersParsed {
  const entries = jsonIn(text);
  if (!Array.isArray(entries)) {
    return {
      ok: false,
      problem: 'issuers must be a JSON array, as in [{"issuer":"https://…","audience":"…"}].',
    };
  }
  const problems: string[] = [];
  const issuers = entries.flatMap((entry, index) => {
    if (isObject(entry)) return [readIssuer(entry, `issuers[${index}]`, problems)];
    problems.push(`issuers[${index}] must be an object, as in {"issuer":"https://…","audience":"…"}.`);
    return [];
  });
  if (problems.length === 0) problems.push(...duplicates(issuers));
  return problems.length === 0 ? { ok: true, issuers } : { ok: false, problem: problems.join(' ') };
}

/**
 * The scopes granted by the claims of a token. A claim that is neither a string nor a list of strings grants nothing.
 */
export function scopesIn(claims: object, settings: Pick<IssuerSettings, 'claim' | 'scopes'>): Scope[] {
  const values = textsIn(claimNamed(settings.claim, claims));
  return [...new Set(values.flatMap((value) => scopesOf(value, settings.scopes)))];
}

/** Unencrypted HTTP is only allowed on the same machine: anyone in between could replace the keys. */
export function isSafeUrl(url: URL): boolean {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

function readIssuer(entry: object, path: string, problems: string[]): IssuerSettings {
  for (const name of Object.keys(entry).filter((key) => !fields.includes(key))) {
    problems.push(`${path}: ${quoted(name)} is not one of the fields ${fields.join(', ')}.`);
  }
  return {
    issuer: readIssuerUrl(own(entry, 'issuer'), `${path}.issuer`, problems),
    audience: readText(own(entry, 'audience'), `${path}.audience`, problems),
    algorithms: readAlgorithms(own(entry, 'algorithms', algorithmsDefault), `${path}.algorithms`, problems),
    claim: readText(own(entry, 'claim', claimDefault), `${path}.claim`, problems),
    scopes: readMapping(own(entry, 'scopes'), `${path}.scopes`, problems),
  };
}

function readText(value: unknown, path: string, problems: string[]): string {
  if (typeof value === 'string' && value !== '') return value;
  problems.push(`${path} must be a non-empty string.`);
  return '';
}

function readIssuerUrl(value: unknown, path: string, problems: string[]): string {
  if (typeof value === 'string' && isIssuerUrl(value)) return value;
  const shown = typeof value === 'string' ? `; ${quoted(value)} is not` : '';
  problems.push(
    `${path} must be an https:// URL (http:// for a loopback host) without a user, query or fragment${shown}.`,
  );
  return '';
}

/** Checked in the text, because the URL parser silently removes spaces and line breaks. */
export function isIssuerUrl(text: string): boolean {
  if (/[\s?#]/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return isSafeUrl(url) && url.username === '' && url.password === '';
}

function readAlgorithms(value: unknown, path: string, problems: string[]): readonly string[] {
  if (!isTextList(value) || value.length === 0) {
    problems.push(`${path} must be a list of one or more of ${algorithmsAllowed.join(', ')}.`);
    return [];
  }
  for (const algorithm of value.filter((name) => !algorithmsAllowed.includes(name))) {
    problems.push(`${path}: ${quoted(algorithm)} is not one of ${algorithmsAllowed.join(', ')}.`);
  }
  return value;
}

function readMapping(value: unknown, path: string, problems: string[]): IssuerSettings['scopes'] {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    problems.push(`${path} must be an object of values of the claim, each with a list of scopes.`);
    return undefined;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => [
      name,
      readScopes(given, `${path}[${quoted(name)}]`, problems),
    ]),
  );
}

function readScopes(value: unknown, path: string, problems: string[]): readonly Scope[] {
  if (!isTextList(value)) {
    problems.push(`${path} must be a list of scopes: ${scopes.join(', ')}.`);
    return [];
  }
  for (const text of value.filter((candidate) => !isScope(candidate))) {
    problems.push(`${path}: ${quoted(text)} is not one of ${scopes.join(', ')}.`);
  }
  return value.filter(isScope);
}

function duplicates(issuers: readonly IssuerSettings[]): string[] {
  return issuers.flatMap(({ issuer }, index) => {
    const first = issuers.findIndex((other) => other.issuer === issuer);
    return first === index
      ? []
      : [`issuers[${index}].issuer: issuers[${first}] is ${quoted(issuer)} already.`];
  });
}

/** Some issuers name a claim like a URL: a claim with the full name, dots included, takes precedence over the path. */
export function claimNamed(name: string, claims: object): unknown {
  const whole = own(claims, name);
  if (whole !== undefined) return whole;
  return name
    .split('.')
    .reduce<unknown>((value, step) => (isObject(value) ? own(value, step) : undefined), claims);
}

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(' ');
  return isTextList(value) ? value : [];
}

function scopesOf(value: string, mapping: IssuerSettings['scopes']): readonly Scope[] {
  if (mapping === undefined) return isScope(value) ? [value] : [];
  return Object.hasOwn(mapping, value) ? (mapping[value] ?? []) : [];
}

/** Inherited properties, such as "constructor", were not sent. */
function own(object: object, name: string, fallback?: unknown): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : fallback;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not an array, which is what the problem says
  }
}
