export interface SealedSecret {
  readonly bytes: Buffer;
  readonly keyId: string;
}
