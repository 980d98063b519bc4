import { counted } from '../../terminal/numbers.js';
import { err, out } from '../../terminal/style.js';
import { harmless } from '../../terminal/text-width.js';
import type { Finding, FindingGroup, FindingState } from './finding.js';

const marks: Record<FindingState, () => string> = {
  good: () => out.green('✓'),
  note: () => out.dim('–'),
  warning: () => out.yellow('!'),
  failed: () => out.red('✗'),
};

export function groupText({ group, findings }: FindingGroup): string {
  const title = group.charAt(0).toUpperCase() + group.slice(1);
  return [out.bold(title), ...findings.map(findingText)].join('\n');
}

function findingText({ check, state, found, mend }: Finding): string {
  const line = `  ${marks[state]()}  ${check} — ${harmless(found)}`;
  return mend ? `${line}\n     ${out.cyan('→')} ${harmless(mend)}` : line;
}

export function summary(findings: readonly Finding[], isConfigured: boolean): string {
  const count = (state: FindingState) => findings.filter((finding) => finding.state === state).length;
  if (!isConfigured) return err.red('The configuration is wrong; nothing else was looked at.');
  const warnings = counted(count('warning'), 'warning');
  if (count('failed') > 0) return err.red(`${counted(count('failed'), 'check')} failed, ${warnings}.`);
  return count('warning') > 0
    ? err.yellow(`Nothing failed, ${warnings}.`)
    : err.green('Everything is in order.');
}
