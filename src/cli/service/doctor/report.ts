import { counted } from '../../terminal/numbers.js';
import { err, out } from '../../terminal/style.js';
import { sanitize } from '../../terminal/text-width.js';
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

function findingText({ check, state, found, fix }: Finding): string {
  const line = `  ${marks[state]()}  ${check} — ${sanitize(found)}`;
  return fix ? `${line}\n     ${out.cyan('→')} ${sanitize(fix)}` : line;
}

export function summary(findings: readonly Finding[], isConfigured: boolean): string {
  const count = (state: FindingState) => findings.filter((finding) => finding.state === state).length;
  if (!isConfigured) return err.red('The configuration is invalid. Nothing else was checked.');
  const warnings = counted(count('warning'), 'warning');
  if (count('failed') > 0) return err.red(`${counted(count('failed'), 'check')} failed, ${warnings}.`);
  return count('warning') > 0 ? err.yellow(`No check failed, ${warnings}.`) : err.green('All checks passed.');
}
