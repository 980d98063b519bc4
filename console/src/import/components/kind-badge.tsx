import { RowBadge } from './row-badge.js';

export const kindColors = {
  new: 'green',
  changed: 'blue',
  renamed: 'grape',
  deactivated: 'orange',
  reactivated: 'green',
  planned: 'blue',
  invalid: 'red',
  undone: 'grape',
  unknown: 'orange',
  notSent: 'orange',
} as const;

/** Kinds without a color are shown as plain text: nothing is to be done about them. */
export function KindBadge({ kind, text }: { kind: string; text: string }) {
  const color = (kindColors as Readonly<Record<string, string>>)[kind];
  return color === undefined ? text : <RowBadge color={color} text={text} />;
}
