import { type Config, readConfig } from '../../config.js';
import { host, pathOf } from '../host.js';
import { flagsIn } from './setting-flags.js';

/** The configuration of the service, from the flags and the environment of a command. */
export function serviceConfig(options: object): Config {
  return withPaths(readConfig(host().env, flagsIn(options)));
}

export function withPaths(config: Config): Config {
  const { dataDir, backupDir, templatesDir } = config;
  return {
    ...config,
    dataDir: pathOf(dataDir),
    backupDir: backupDir && pathOf(backupDir),
    templatesDir: templatesDir && pathOf(templatesDir),
  };
}
