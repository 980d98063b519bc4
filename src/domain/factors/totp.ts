import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** What every authenticator app supports (RFC 6238). */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks differ, and typing takes a moment. */
const stepsAround = [-1, 0, 1] as const;
const secretBytes = 20;

export function newTotpSecret(): string {
  return secretOf(randomBytes(secretBytes)).base32;
}

/** For a QR code. */
export function totpUri(secret: string, accountName: string): string {
  return totpOf(secret, { issuer: 'Rollcall', label: accountName }).toString();
}

/** The time step whose code this is; undefined if it is none. Compares with every code that would be accepted. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const totp = totpOf(secret);
  const current = Math.floor(now / 1_000 / form.period);
  const matching = stepsAround.filter((offset) => {
    const expected = totp.generate({ timestamp: (current + offset) * form.period * 1_000 });
    return isSame(expected, code);
  });
  const [offset] = matching;
  return offset === undefined ? undefined : current + offset;
}

export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

function isSame(expected: string, code: string): boolean {
  return code.length === expected.length && timingSafeEqual(Buffer.from(code), Buffer.from(expected));
}

function totpOf(secret: string, label: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ ...form, ...label, secret: Secret.fromBase32(secret) });
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
