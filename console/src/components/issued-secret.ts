/** What is shown once and never again. */
export interface IssuedSecret {
  readonly clientId?: string;
  readonly secret: string;
}
