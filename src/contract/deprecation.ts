/** When an operation, parameter or field was deprecated, and when it will be removed. */
export interface Deprecation {
  /** The date of the release that announced it, such as 2026-11-16. */
  readonly since: string;
  /** The date from which it may be gone. Absent until it is decided. */
  readonly sunset?: string;
  /** Where callers read what to use instead. */
  readonly link: string;
}

/** Schema options that mark an operation, parameter or field as deprecated in the API description. */
export function deprecated(deprecation: Deprecation) {
  return { deprecated: true, 'x-deprecation': deprecation } as const;
}
