import type { ErrorData } from '#client';
import { count } from './terminal/numbers.js';

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/** Why a call needs to be confirmed. How to confirm it depends on the command. */
export function safetyLimitProblem(data: ErrorData<'CALL_EXCEEDS_SAFETY_LIMIT'>): string {
  const { confirm = 0, removed = 0, deactivated = 0, renamed = 0, cleared = 0 } = data;
  const { total = 0, limitPercent = 0 } = data;
  const verbs = {
    remove: removed,
    deactivate: deactivated,
    rename: renamed,
    'clear the username, email or phone of': cleared,
  };
  const parts = Object.entries(verbs).flatMap(([verb, users]) =>
    users > 0 ? [`${verb} ${count(users)}`] : [],
  );
  const share = ((confirm / total) * 100).toFixed(1);
  return `The call would ${listed.format(parts)} of ${count(total)} users (${share}%), which exceeds the safety limit of ${limitPercent}%. Nothing was changed.`;
}
