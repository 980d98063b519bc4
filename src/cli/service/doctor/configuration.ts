import type { Flags } from '../../../config/flags.js';
import { type Config, ConfigInvalid, type Environment, readConfig } from '../../../config.js';
import { embeddedIsForOne } from '../serve.js';
import { type Finding, failed, good, warning } from './finding.js';

const check = 'settings';

export interface ConfigurationRead {
  readonly findings: readonly Finding[];
  /** Nothing if a setting is wrong: then nobody can tell what else to look at. */
  readonly config: Config | undefined;
}

export function readConfiguration(environment: Environment, flags: Flags): ConfigurationRead {
  try {
    const config = readConfig(environment, flags);
    const { workers, databaseUrl, bootstrapClient } = config;
    if (workers > 1 && databaseUrl === undefined) return wrong([embeddedIsForOne(workers)]);
    const isShort = bootstrapClient && bootstrapClient.secret.length < 32;
    return { config, findings: isShort ? [shortSecret()] : [good(check, 'all of them can be used')] };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return wrong(error.problems);
  }
}

function wrong(problems: readonly string[]): ConfigurationRead {
  const mend = 'See docs/configuration.md.';
  return { config: undefined, findings: problems.map((problem) => failed(check, problem, mend)) };
}

function shortSecret(): Finding {
  const mend = 'Use 32 or more random characters.';
  return warning(check, 'ROLLCALL_BOOTSTRAP_CLIENT_SECRET is short', mend);
}
