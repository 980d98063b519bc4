/** What the service says about a call that exceeds the safety limit. */
export interface SafetyLimitCounts {
  readonly confirm?: number;
  readonly removed?: number;
  readonly deactivated?: number;
  readonly renamed?: number;
  readonly cleared?: number;
  readonly total?: number;
  readonly limitPercent?: number;
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });
const english = new Intl.NumberFormat('en');

/** Why a call needs to be confirmed, in English. How to confirm it depends on who sends it. */
export function safetyLimitText(
  counts: SafetyLimitCounts,
  formatNumber = (value: number) => english.format(value),
): string {
  const { confirm = 0, removed = 0, deactivated = 0, renamed = 0, cleared = 0 } = counts;
  const { total = 0, limitPercent = 0 } = counts;
  const effects = {
    remove: removed,
    deactivate: deactivated,
    'change the employee ID of': renamed,
    'clear the username, email or phone of': cleared,
  };
  const parts = Object.entries(effects).flatMap(([verb, users]) =>
    users > 0 ? [`${verb} ${formatNumber(users)}`] : [],
  );
  const share = total > 0 ? ` (${((confirm / total) * 100).toFixed(1)}%)` : '';
  const users = `${formatNumber(total)} ${total === 1 ? 'user' : 'users'}`;
  return `This would ${listed.format(parts)} of ${users}${share}, which exceeds the safety limit of ${limitPercent}%.`;
}
