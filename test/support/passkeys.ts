import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyAttestation } from '../../src/contract/factors.js';

export interface Site {
  readonly rpId: string;
  readonly origin: string;
}

/** The parts of the options of a browser that an authenticator signs. */
interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

interface Signing {
  /** The site that the browser shows, if it is not the one of the passkey. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly isUserVerified?: boolean;
  /** Whether other devices have a copy. */
  readonly isSynced?: boolean;
}

const userPresent = 0x01;
const userVerified = 0x04;
/** It may be copied, and it is. */
const synced = 0x08 | 0x10;
const attestedData = 0x40;

/** An authenticator in software, with one passkey (ES256), as the device of a user. */
export class TestPasskey {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly #site: Site;
  #counter = 0;
  #userHandle: string | undefined;

  constructor(site: Site) {
    this.#site = site;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** What navigator.credentials.create() returns. */
  create({ challenge, user }: Options, signing: Signing = {}): PasskeyAttestation {
    this.#userHandle = user?.id;
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, this.#coseKey()]);
    const authData = Buffer.concat([this.#authData(signing, attestedData), attested]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(authData)],
    ]);
    return {
      ...this.#credential,
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, signing).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** What navigator.credentials.get() returns. The counter goes up with each signature unless it is given. */
  get({ challenge }: Options, signing: Signing = {}): PasskeyAssertion {
    const clientData = this.#clientData('webauthn.get', challenge, signing);
    this.#counter = signing.counter ?? this.#counter + 1;
    const authData = this.#authData({ ...signing, counter: this.#counter });
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#credential,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        ...(this.#userHandle === undefined ? {} : { userHandle: this.#userHandle }),
      },
    };
  }

  get #credential() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, { origin = this.#site.origin }: Signing): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authData(
    { rpId = this.#site.rpId, counter = 0, isUserVerified = true, isSynced = false }: Signing,
    flags = 0,
  ): Buffer {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([userPresent | (isUserVerified ? userVerified : 0) | (isSynced ? synced : 0) | flags]),
      counted,
    ]);
  }

  /** The public key in COSE: a map of 1 (kty) to 2, 3 (alg) to -7, and the curve with its point. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

/** The parts of CBOR that an attestation consists of. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

function bytes(value: Buffer): Buffer {
  const length =
    value.length < 256
      ? Buffer.from([0x58, value.length])
      : Buffer.concat([Buffer.from([0x59]), uint16(value.length)]);
  return Buffer.concat([length, value]);
}

function uint16(value: number): Buffer {
  const written = Buffer.alloc(2);
  written.writeUInt16BE(value);
  return written;
}
