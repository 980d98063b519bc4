export interface EncryptedSecret {
  readonly bytes: Buffer;
  readonly keyId: string;
}
