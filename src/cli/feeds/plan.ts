import type { FileProblem } from '../described-list.js';
import { type Feed, formatColumn, withoutQuery } from './format-settings.js';
import { type DescribedFeed, type SecretName, type SettingName, secretNames } from './read-file.js';

/** What a file changes about the feeds that exist. */
export interface FeedPlan {
  readonly steps: readonly FeedStep[];
  readonly unchanged: number;
  /** The keys of feeds that the file doesn't describe. */
  readonly notInFile: readonly string[];
}

export interface FeedStep {
  readonly kind: 'create' | 'change';
  readonly described: DescribedFeed;
  /** Each is sent as a whole. */
  readonly settings: readonly SettingName[];
  readonly secrets: readonly SecretName[];
  readonly changes: readonly SettingChange[];
}

/** One part of a setting: "rules.rehire", "mapping.email", "secret". */
export interface SettingChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface PlanOptions {
  /** Also sends secrets that the service has already. */
  readonly secrets: boolean;
}

const neededByNew = ['name', 'source', 'mapping'] as const;

/** Compares a file with the feeds that exist. */
export function planFeeds(
  described: readonly DescribedFeed[],
  existing: readonly Feed[],
  options: PlanOptions,
): FeedPlan | { readonly problems: readonly FileProblem[] } {
  const problems: FileProblem[] = [];
  const steps: FeedStep[] = [];
  for (const each of described) {
    const feed = existing.find(({ key }) => key === each.key);
    const lacking = feed ? [] : neededByNew.filter((name) => !each.settings.has(name));
    if (lacking.length > 0) {
      problems.push({ line: each.line, text: `"${each.key}" is new, so it needs ${lacking.join(' and ')}.` });
      continue;
    }
    const step = stepFor(each, feed, options);
    if (step.kind === 'create' || step.changes.length > 0) steps.push(step);
  }
  if (problems.length > 0) return { problems };
  const keys = new Set(described.map(({ key }) => key));
  return {
    steps,
    unchanged: described.length - steps.length,
    notInFile: existing.map(({ key }) => key).filter((key) => !keys.has(key)),
  };
}

function stepFor(described: DescribedFeed, feed: Feed | undefined, options: PlanOptions): FeedStep {
  const settings: SettingName[] = [];
  const changes: SettingChange[] = [];
  for (const [name, after] of described.settings) {
    if (isSecret(name)) continue;
    const found = differences(name, feed?.[name], after, feed?.hidden ?? []);
    if (found.length > 0) settings.push(name);
    changes.push(...found);
  }
  const secrets = secretNames.filter((name) => isSent(name, described, feed, settings, options));
  for (const name of secrets) {
    const isRemoved = described.settings.get(name) === null;
    changes.push({ name, before: null, after: isRemoved ? null : 'set' });
  }
  return { kind: feed ? 'change' : 'create', described, settings, secrets, changes };
}

function isSecret(name: string): name is SecretName {
  return secretNames.some((each) => each === name);
}

/**
 * Whether a secret is new is unknown, because it is never returned. One that the service has is sent again only with what
 * it belongs to, or if that is wanted.
 */
function isSent(
  name: SecretName,
  { settings }: DescribedFeed,
  feed: Feed | undefined,
  changed: readonly SettingName[],
  options: PlanOptions,
): boolean {
  const reference = settings.get(name);
  if (reference === undefined) return false;
  const isStored = feed !== undefined && (name === 'chatUrl' ? feed.hasChatUrl : feed.hasSecret);
  if (reference === null) return isStored;
  const owner = name === 'chatUrl' ? 'inform' : 'source';
  return !isStored || changed.includes(owner) || options.secrets;
}

/** By part, because a setting such as the mapping is large. */
function differences(
  name: string,
  before: unknown,
  after: unknown,
  hidden: readonly string[],
): SettingChange[] {
  if (!isObject(before) && !isObject(after)) {
    return isSame(before, after) ? [] : [{ name, before, after }];
  }
  const [old, now] = [partsOf(before), partsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((part) => {
    const [was, is, path] = [old.get(part), now.get(part), `${name}.${part}`];
    const same = hidden.includes(path) ? isSame(visible(was), visible(is)) : isSame(was, is);
    return same ? [] : [{ name: path, before: shown(path, was), after: shown(path, is) }];
  });
}

/** Without what the service hides, which is no difference. */
function visible(value: unknown): unknown {
  if (typeof value === 'string') return withoutQuery(value);
  if (Array.isArray(value)) return 'values';
  if (!isObject(value)) return value;
  const { constant: _, values: __, ...others } = value as Partial<Column>;
  return others;
}

/** Plans end up in the logs of pipelines, and a query often contains a token. */
function shown(path: string, value: unknown): unknown {
  const isUrl = path === 'source.url' || path === 'source.endpoint';
  return isUrl && typeof value === 'string' ? withoutQuery(value) : value;
}

type Column = Feed['mapping']['columns'][number];

/** The columns of a mapping and the attributes of a scope are parts of their own, in any order. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (!isObject(value)) return new Map();
  const { columns, attributes, ...others } = value as Record<string, unknown>;
  const list = Array.isArray(columns) ? (columns as readonly Column[]) : []; // as the field or the service checked it
  return new Map<string, unknown>([
    ...list.map((column): [string, unknown] => [column.field, column]),
    ...Object.entries(others),
    ...Object.entries(attributes ?? {}).map(([key, values]): [string, unknown] => [
      `attributes.${key}`,
      values,
    ]),
  ]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null, an empty list and an absent value mean the same, and the parts of an object have no order. */
function isSame(one: unknown, other: unknown): boolean {
  return comparable(one) === comparable(other);
}

function comparable(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, part]) => `${JSON.stringify(name)}:${comparable(part)}`).join(',');
}

/** "none", "Europe/Berlin", "First name + Last name" */
export function formatValue(value: unknown): string {
  if (comparable(value) === '') return 'none';
  if (Array.isArray(value)) return value.join(', ');
  if (!isObject(value)) return String(value);
  return 'field' in value ? formatColumn(value as Column) : JSON.stringify(value);
}
