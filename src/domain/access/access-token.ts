/** What issuing and checking a token have to agree on. */
export const tokenAudience = 'rollcall';
export const tokenType = 'at+jwt';

export interface TokenOptions {
  readonly issuer: string;
  readonly lifetimeSeconds: number;
}

/** Of a client: its tokens are valid only with the generation that the client has now. Tokens of old have none: 0. */
export const generationClaim = 'gen';
