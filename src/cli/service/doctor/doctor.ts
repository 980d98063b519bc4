import type { Config } from '../../../config.js';
import { type JsonOption, print, say } from '../../output.js';
import type { Ended } from '../../run.js';
import { flagsIn } from '../setting-flags.js';
import { readConfiguration } from './configuration.js';
import type { FindingGroup } from './finding.js';
import { checkNode } from './node-version.js';
import { groupText, summary } from './report.js';

/** `rollcall doctor`: looks at everything the service depends on, all of it at once, and tells it in order. */
export async function doctor(options: JsonOption): Promise<Ended> {
  const { config, findings } = readConfiguration(process.env, flagsIn(options));
  const own: FindingGroup = { group: 'configuration', findings: [checkNode(), ...findings] };
  const groups = config ? [own, ...(await lookAtAll(config))] : [own];
  const all = groups.flatMap(({ group, findings }) => findings.map((finding) => ({ group, ...finding })));
  if (options.json) print(`[\n${all.map((finding) => JSON.stringify(finding)).join(',\n')}\n]`);
  else print(groups.map(groupText).join('\n\n'));
  say(`\n${summary(all, config !== undefined)}`);
  if (!config) return 'wrongUse';
  return all.some(({ state }) => state === 'failed') ? 'someFailed' : 'done';
}

/** Loaded only now, because a wrong setting is told without it. */
async function lookAtAll(config: Config): Promise<FindingGroup[]> {
  return (await import('./checks.js')).runChecks(config);
}
