import { readFileSync } from 'node:fs';
import type { Flags } from '../../../config/flags.js';
import { type Config, ConfigInvalid, type Environment, readConfig } from '../../../config.js';
import { host } from '../../host.js';
import { type JsonOption, print, printMessage } from '../../output.js';
import type { CommandResult } from '../../run.js';
import { counted } from '../../terminal/numbers.js';
import { err, out } from '../../terminal/style.js';
import { sanitize } from '../../terminal/text-width.js';
import { embeddedNeedsOneWorker } from '../serve.js';
import { withPaths } from '../service-config.js';
import { flagsIn } from '../setting-flags.js';
import { type Finding, type FindingGroup, type FindingState, failed, good, warning } from './finding.js';

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

const settingsCheck = 'settings';

interface ConfigurationRead {
  readonly findings: readonly Finding[];
  /** Undefined if a setting is invalid: nothing else can be checked then. */
  readonly config: Config | undefined;
}

function readConfiguration(environment: Environment, flags: Flags): ConfigurationRead {
  try {
    const config = readConfig(environment, flags);
    const { workers, databaseUrl, bootstrapClient } = config;
    if (workers > 1 && databaseUrl === undefined) return invalid([embeddedNeedsOneWorker(workers)]);
    const isShort = bootstrapClient && bootstrapClient.secret.length < 32;
    return { config, findings: isShort ? [shortSecret()] : [good(settingsCheck, 'all valid')] };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return invalid(error.problems);
  }
}

function invalid(problems: readonly string[]): ConfigurationRead {
  const fix = 'See docs/configuration.md.';
  return { config: undefined, findings: problems.map((problem) => failed(settingsCheck, problem, fix)) };
}

function shortSecret(): Finding {
  const fix = 'Use at least 32 random characters.';
  return warning(settingsCheck, 'ROLLCALL_BOOTSTRAP_CLIENT_SECRET is short', fix);
}

const packageFile = new URL('../../../../package.json', import.meta.url);

function checkNode(): Finding {
  const { engines } = JSON.parse(readFileSync(packageFile, 'utf8')) as { engines: { node: string } };
  return nodeFinding(process.versions.node, engines.node.replace('>=', ''));
}

export function nodeFinding(version: string, minimum: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = minimum.split('.').map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return good('Node.js', version);
  return failed('Node.js', `${version} is too old`, `Install Node.js ${minimum} or newer.`);
}

const marks: Record<FindingState, () => string> = {
  good: () => out.green('✓'),
  note: () => out.dim('–'),
  warning: () => out.yellow('!'),
  failed: () => out.red('✗'),
};

function groupText({ group, findings }: FindingGroup): string {
  const title = group.charAt(0).toUpperCase() + group.slice(1);
  return [out.bold(title), ...findings.map(findingText)].join('\n');
}

function findingText({ check, state, found, fix }: Finding): string {
  const line = `  ${marks[state]()}  ${check} — ${sanitize(found)}`;
  return fix ? `${line}\n     ${out.cyan('→')} ${sanitize(fix)}` : line;
}

function summary(findings: readonly Finding[], isConfigured: boolean): string {
  const count = (state: FindingState) => findings.filter((finding) => finding.state === state).length;
  if (!isConfigured) return err.red('The configuration is invalid. Nothing else was checked.');
  const warnings = counted(count('warning'), 'warning');
  if (count('failed') > 0) return err.red(`${counted(count('failed'), 'check')} failed, ${warnings}.`);
  return count('warning') > 0 ? err.yellow(`No check failed, ${warnings}.`) : err.green('All checks passed.');
}
