/** What a run of a feed would do, measured before it writes. */
export interface RunProfile {
  /** Rows of the file, without the headings. */
  readonly rows: number;
  /** Active users in the scope of the feed before the run. */
  readonly users: number;
  readonly created: number;
  readonly rehired: number;
  readonly updated: number;
  readonly renamed: number;
  /** Includes missing users. */
  readonly deactivated: number;
  readonly reactivated: number;
  readonly failed: number;
  readonly unchanged: number;
  /** Users who would be deactivated because the file does not contain them. */
  readonly missing: number;
  /** Changes that the feed has planned for later days, before the run. */
  readonly planned: number;
  /** Those of them that the file no longer contains, so that the run would withdraw them. */
  readonly withdrawn: number;
  /** Existing users who would get back a value, or their access, that a change of the last 45 days has replaced. */
  readonly reverted: number;
  /** Existing users whose field changes, by field; attributes as attributes.KEY. */
  readonly changed: Readonly<Record<string, number>>;
  /** Existing users whose field changes from a value to empty. */
  readonly emptied: Readonly<Record<string, number>>;
  /** The column that each mapped field comes from. A field that earlier runs lack is new to the feed. */
  readonly columns: Readonly<Record<string, SourceColumn>>;
  /** The last run that read the very same file and wrote. */
  readonly fileSeenBefore: { readonly at: string } | null;
}

export interface SourceColumn {
  /** From 1. */
  readonly number: number;
  readonly heading: string;
}

/** A run that wrote. A run that was stopped and not approved is not among them. */
export interface PastRun {
  readonly profile: RunProfile;
  /** An ISO time. */
  readonly at: string;
  /** Whether it was stopped, and then approved by a person. */
  readonly wasApproved: boolean;
}
