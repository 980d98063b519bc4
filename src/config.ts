import { commandVariables } from './config/command-variables.js';
import type { Flags } from './config/flags.js';
import { type Setting, variablesOf } from './config/kinds.js';
import { nearest } from './config/nearest.js';
import { listenUrl } from './config/public-url.js';
import { type Environment, type Sources, settingText } from './config/setting-text.js';
import { limitSettings } from './config/settings/limits.js';
import { allSettings, operatorSettings, settings } from './config/settings.js';
import type { Limits } from './contract/limits.js';

type Values<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The configuration, read from flags and the environment. The settings are declared in config/settings.ts. */
export interface Config
  extends Omit<Values<typeof settings>, 'bootstrapClientId' | 'bootstrapClientSecret' | 'publicUrl'> {
  /** The listen address unless one was configured. */
  readonly publicUrl: string;
  readonly isPublicUrlGiven: boolean;
  readonly bootstrapClient: { readonly id: string; readonly secret: string } | undefined;
  readonly limits: Limits;
}

/** Lists every problem with the configuration, so that all can be fixed at once. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export type { Environment };

export function readConfig(environment: Environment, flags: Flags = {}): Config {
  const problems: string[] = unknownNames(environment).map(unknownName);
  const read = <T>(setting: Setting<T>): T => readSetting(setting, { environment, flags }, problems);

  const { bootstrapClientId, bootstrapClientSecret, ...others } = settings;
  const id = read(bootstrapClientId);
  const secret = read(bootstrapClientSecret);
  if ((id === undefined) !== (secret === undefined)) {
    problems.push('ROLLCALL_BOOTSTRAP_CLIENT_ID and ROLLCALL_BOOTSTRAP_CLIENT_SECRET must be set together.');
  }
  // Each value is parsed by its own setting, so the object has the types that `settings` declares.
  const values = Object.fromEntries(
    Object.entries(others).map(([key, setting]) => [key, read(setting as Setting<unknown>)]),
  ) as Values<typeof others>;
  const config: Config = {
    ...values,
    publicUrl: values.publicUrl ?? listenUrl(values.host, values.port),
    isPublicUrlGiven: values.publicUrl !== undefined,
    bootstrapClient: id !== undefined && secret !== undefined ? { id, secret } : undefined,
    limits: Object.fromEntries(
      limitSettings.map(({ limit, setting }) => [limit, read(setting)]),
    ) as unknown as Limits,
  };
  if (config.secretKeyPrevious !== undefined && config.secretKey === undefined) {
    problems.push('ROLLCALL_SECRET_KEY_PREVIOUS requires ROLLCALL_SECRET_KEY, set to the new key.');
  }
  if (config.issuers.some(({ issuer }) => issuer === config.publicUrl)) {
    problems.push('ROLLCALL_ISSUERS includes ROLLCALL_PUBLIC_URL, which is this service. Remove it.');
  }
  problems.push(...ssoProblems(config));
  if (config.openIdProvider === 'on' && !isSecureUrl(config.publicUrl)) {
    problems.push(
      'ROLLCALL_OPENID_PROVIDER requires ROLLCALL_PUBLIC_URL with https: applications and browsers would send secrets in plain text. Only on a loopback address, http is enough.',
    );
  }
  if (config.backupEveryHours > 0 && config.backupDir === undefined) {
    problems.push('ROLLCALL_BACKUP_EVERY_HOURS requires ROLLCALL_BACKUP_DIR, the directory for the backups.');
  }
  if (config.safetyApproval === 'required' && config.safetyLimitPercent === 0) {
    problems.push(
      'ROLLCALL_SAFETY_APPROVAL=required does nothing without ROLLCALL_SAFETY_LIMIT_PERCENT, the share of users beyond which calls need approval.',
    );
  }
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return config;
}

function ssoProblems(config: Omit<Config, 'limits'>): string[] {
  const { ssoIssuer, ssoClientId, ssoUserClaim, ssoRoleClaim, ssoRoles, localSignIn } = config;
  if (ssoIssuer === undefined) {
    return localSignIn === 'on'
      ? []
      : [`ROLLCALL_LOCAL_SIGN_IN=${localSignIn} requires ROLLCALL_SSO_ISSUER, or nobody else could sign in.`];
  }
  const problems: string[] = [];
  if (ssoClientId === undefined) problems.push('ROLLCALL_SSO_ISSUER requires ROLLCALL_SSO_CLIENT_ID.');
  if (ssoUserClaim === undefined) {
    problems.push(
      'ROLLCALL_SSO_ISSUER requires ROLLCALL_SSO_USER_CLAIM, the claim that says which user it is.',
    );
  }
  if ((ssoRoleClaim === undefined) !== (ssoRoles.length === 0)) {
    problems.push('ROLLCALL_SSO_ROLE_CLAIM and ROLLCALL_SSO_ROLES must be set together.');
  }
  return problems;
}

/** What is sent to it cannot be read on the way. */
function isSecureUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function readSetting<T>(setting: Setting<T>, sources: Sources, problems: string[]): T {
  const { name, text } = settingText(setting, sources, problems);
  if (text === undefined || text === '') return setting.fallback;
  const value = setting.parse(text);
  if (value !== undefined) return value;
  const problem = setting.problem?.(text);
  const shown = problem ? `: ${problem}` : setting.isSecret ? '.' : `; got "${text}".`;
  problems.push(`${name} must be ${setting.expects}${shown}`);
  return setting.fallback;
}

const knownNames = allSettings.flatMap(variablesOf);

function unknownNames(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith('ROLLCALL_') && !knownNames.includes(name) && !(name in commandVariables),
  );
}

function unknownName(name: string): string {
  const meant = nearest(name, operatorSettings.flatMap(variablesOf), 'ROLLCALL_');
  return `${name} is not a Rollcall setting.${meant ? ` Did you mean ${meant}?` : ''}`;
}
