/** What is shown once and never again. */
export interface GivenSecret {
  readonly clientId?: string;
  readonly secret: string;
}
