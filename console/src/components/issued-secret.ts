/** Shown only once. */
export interface IssuedSecret {
  readonly clientId?: string;
  readonly secret: string;
}
