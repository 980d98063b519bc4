/** What a check came to. A note is neither good nor bad: something is not used, or could not be looked at. */
export type FindingState = 'good' | 'note' | 'warning' | 'failed';

export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  readonly found: string;
  /** What to do about a warning or a failure. */
  readonly mend?: string;
}

export interface FindingGroup {
  readonly group: string;
  readonly findings: readonly Finding[];
}

export function good(check: string, found: string): Finding {
  return { check, state: 'good', found };
}

export function note(check: string, found: string): Finding {
  return { check, state: 'note', found };
}

export function warning(check: string, found: string, mend: string): Finding {
  return { check, state: 'warning', found, mend };
}

export function failed(check: string, found: string, mend: string): Finding {
  return { check, state: 'failed', found, mend };
}
