/** What issuing and verifying a token have to agree on. */
export const tokenAudience = 'rollcall';
export const tokenType = 'at+jwt';

export interface TokenOptions {
  readonly issuer: string;
  readonly lifetimeSeconds: number;
}

/**
 * Tokens are valid only if they have the current generation of their client. Tokens issued before generations existed
 * count as 0.
 */
export const generationClaim = 'gen';
