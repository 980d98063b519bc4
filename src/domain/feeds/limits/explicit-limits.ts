/** A number, or a percentage: of the rows for failures, of the planned changes for withdrawals, otherwise of the active users in the scope of the feed. */
export type Limit = number | `${number}%`;

/** What an administrator has set. Each replaces the fixed and the learned limit of the same quantity. */
export interface ExplicitLimits {
  readonly rowsMin?: Limit;
  readonly rowsMax?: Limit;
  readonly createsMax?: Limit;
  readonly deactivationsMax?: Limit;
  readonly reactivationsMax?: Limit;
  readonly renamesMax?: Limit;
  readonly failuresMax?: Limit;
  /** Planned changes that the file no longer contains. */
  readonly withdrawalsMax?: Limit;
  /** Of each field. */
  readonly changesMax?: Limit;
  /** Of each field. */
  readonly emptiedMax?: Limit;
}

export function countOf(limit: Limit, base: number): number {
  return typeof limit === 'number' ? limit : (Number.parseFloat(limit) * base) / 100;
}
