/** A note is neutral: something is not used, or could not be checked. */
export type FindingState = 'good' | 'note' | 'warning' | 'failed';

export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  readonly found: string;
  /** How to fix a warning or failure. */
  readonly fix?: string;
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

export function warning(check: string, found: string, fix: string): Finding {
  return { check, state: 'warning', found, fix };
}

export function failed(check: string, found: string, fix: string): Finding {
  return { check, state: 'failed', found, fix };
}
