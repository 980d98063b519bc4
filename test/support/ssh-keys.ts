import ssh2 from 'ssh2';

export interface SshKey {
  readonly private: string;
  readonly public: string;
}

export function ed25519Key(passphrase?: string): SshKey {
  if (passphrase === undefined) return ssh2.utils.generateKeyPairSync('ed25519');
  return ssh2.utils.generateKeyPairSync('ed25519', { passphrase, cipher: 'aes256-ctr', rounds: 1 });
}

export function ecdsaKey(): SshKey {
  return ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
}
