/** When an import runs. */
export interface Timing {
  readonly kind: 'now' | 'date' | 'approval';
  /** Such as 2026-12-31. With approval it may be empty: the import then runs once it is approved. */
  readonly day: string;
}

export const now: Timing = { kind: 'now', day: '' };

export function isComplete({ kind, day }: Timing): boolean {
  return kind !== 'date' || day !== '';
}
