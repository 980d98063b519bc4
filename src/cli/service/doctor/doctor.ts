import type { Config } from '../../../config.js';
import { host } from '../../host.js';
import { type JsonOption, print, printMessage } from '../../output.js';
import type { CommandResult } from '../../run.js';
import { withPaths } from '../service-config.js';
import { flagsIn } from '../setting-flags.js';
import { readConfiguration } from './configuration.js';
import type { FindingGroup } from './finding.js';
import { checkNode } from './node-version.js';
import { groupText, summary } from './report.js';

/** `rollcall doctor`: runs all checks concurrently and reports them in order. */
export async function doctor(options: JsonOption): Promise<CommandResult> {
  const { config, findings } = readConfiguration(host().env, flagsIn(options));
  const own: FindingGroup = { group: 'configuration', findings: [checkNode(), ...findings] };
  const groups = config ? [own, ...(await runAllChecks(withPaths(config)))] : [own];
  const all = groups.flatMap(({ group, findings }) => findings.map((finding) => ({ group, ...finding })));
  if (options.json) print(`[\n${all.map((finding) => JSON.stringify(finding)).join(',\n')}\n]`);
  else print(groups.map(groupText).join('\n\n'));
  printMessage(`\n${summary(all, config !== undefined)}`);
  if (!config) return 'wrongUse';
  return all.some(({ state }) => state === 'failed') ? 'someFailed' : 'done';
}

/** Loaded lazily: invalid settings are reported without it. */
async function runAllChecks(config: Config): Promise<FindingGroup[]> {
  return (await import('./checks.js')).runChecks(config);
}
