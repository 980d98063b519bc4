import type { Flags } from '../../../config/flags.js';
import { type Config, ConfigInvalid, type Environment, readConfig } from '../../../config.js';
import { embeddedNeedsOneWorker } from '../serve.js';
import { type Finding, failed, good, warning } from './finding.js';

const check = 'settings';

export interface ConfigurationRead {
  readonly findings: readonly Finding[];
  /** Undefined if a setting is invalid: nothing else can be checked then. */
  readonly config: Config | undefined;
}

export function readConfiguration(environment: Environment, flags: Flags): ConfigurationRead {
  try {
    const config = readConfig(environment, flags);
    const { workers, databaseUrl, bootstrapClient } = config;
    if (workers > 1 && databaseUrl === undefined) return invalid([embeddedNeedsOneWorker(workers)]);
    const isShort = bootstrapClient && bootstrapClient.secret.length < 32;
    return { config, findings: isShort ? [shortSecret()] : [good(check, 'all valid')] };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return invalid(error.problems);
  }
}

function invalid(problems: readonly string[]): ConfigurationRead {
  const fix = 'See docs/configuration.md.';
  return { config: undefined, findings: problems.map((problem) => failed(check, problem, fix)) };
}

function shortSecret(): Finding {
  const fix = 'Use at least 32 random characters.';
  return warning(check, 'ROLLCALL_BOOTSTRAP_CLIENT_SECRET is short', fix);
}
