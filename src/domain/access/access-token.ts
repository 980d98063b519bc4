/** What issuing and checking a token have to agree on. */
export const tokenAudience = 'rollcall';
export const tokenType = 'at+jwt';

export interface TokenOptions {
  readonly issuer: string;
  readonly lifetimeSeconds: number;
}
