import { randomBytes } from 'node:crypto';
import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import type { GivenFactor } from '../../contract/enums.js';
import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/factors.js';
import { insertChallenge, takeChallenge } from '../../storage/access/factor-challenges.js';
import {
  getPasskey,
  listCredentialIds,
  type NewPasskey,
  type StoredPasskey,
  usePasskey,
} from '../../storage/access/factors.js';
import type { Executor } from '../../storage/database.js';
import type { RelyingParty } from './relying-party.js';

const challengeSeconds = 300;
const challengeBytes = 32;
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

/** Why a passkey was refused, for the record. The caller doesn't learn it. */
export type PasskeyProblem = 'unknown' | 'invalid' | 'counter';

export interface PasskeyOwner {
  readonly serial: string;
  readonly name: string;
  readonly signInName: string;
}

/** What a browser needs to make a new passkey. It can find the passkey again without being told who signs in. */
export async function creationOptions(executor: Executor, site: RelyingParty, owner: PasskeyOwner) {
  const known = await listCredentialIds(executor, owner.serial);
  return generateRegistrationOptions({
    rpName: 'Rollcall',
    rpID: site.id,
    userID: new TextEncoder().encode(owner.serial),
    userName: owner.signInName,
    userDisplayName: owner.name,
    challenge: await newChallenge(executor, owner.serial),
    timeout: challengeSeconds * 1_000,
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What a browser needs to use a passkey, whoever has one. */
export async function requestOptions(executor: Executor, site: RelyingParty) {
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: await newChallenge(executor, null),
    timeout: challengeSeconds * 1_000,
    userVerification: 'required',
  });
}

async function newChallenge(executor: Executor, userSerial: string | null) {
  const bytes = new Uint8Array(randomBytes(challengeBytes));
  const challenge = Buffer.from(bytes).toString('base64url');
  await insertChallenge(executor, { challenge, userSerial, lifetimeSeconds: challengeSeconds });
  return bytes;
}

export interface VerifiedPasskey
  extends Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> {
  readonly factor: GivenFactor;
}

/** Undefined if what the browser sent is no new passkey of this site. */
export async function verifyNewPasskey(
  executor: Executor,
  site: RelyingParty,
  userSerial: string,
  sent: PasskeyAttestation,
): Promise<VerifiedPasskey | undefined> {
  const expectedChallenge = await takeSigned(executor, sent.response, userSerial);
  if (expectedChallenge === undefined) return undefined;
  const { transports = [], ...response } = sent.response;
  const verified = await unlessInvalid(
    verifyRegistrationResponse({
      response: { ...sent, response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return undefined;
  const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
  const factor = factorOf(verified.registrationInfo);
  return { credentialId, publicKey: Buffer.from(publicKey), counter, transports, factor };
}

/** The authenticator says, and signs, whether the passkey may be copied to other devices. */
function factorOf(info: { readonly credentialDeviceType: 'singleDevice' | 'multiDevice' }): GivenFactor {
  return info.credentialDeviceType === 'singleDevice' ? 'devicePasskey' : 'syncedPasskey';
}

export type PasskeyCheck =
  | { readonly ok: true; readonly passkey: StoredPasskey; readonly factor: GivenFactor }
  | { readonly ok: false; readonly problem: PasskeyProblem };

/** Advances the counter of the passkey. */
export async function checkPasskey(
  executor: Executor,
  site: RelyingParty,
  passkey: StoredPasskey | undefined,
  sent: PasskeyAssertion,
): Promise<PasskeyCheck> {
  if (!passkey) return { ok: false, problem: 'unknown' };
  const { userHandle } = sent.response;
  if (userHandle !== undefined && !isHandleOf(userHandle, passkey)) return { ok: false, problem: 'invalid' };
  const expectedChallenge = await takeSigned(executor, sent.response, null);
  if (expectedChallenge === undefined) return { ok: false, problem: 'invalid' };
  const verified = await unlessInvalid(
    verifyAuthenticationResponse({
      response: { ...sent, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: 0, // compared where it is stored, so that two uses at once are told apart
        transports: passkey.transports as AuthenticatorTransport[],
      },
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return { ok: false, problem: 'invalid' };
  const isUsed = await usePasskey(executor, passkey.id, verified.authenticationInfo.newCounter);
  const factor = factorOf(verified.authenticationInfo);
  return isUsed ? { ok: true, passkey, factor } : { ok: false, problem: 'counter' };
}

export function findPasskey(executor: Executor, sent: PasskeyAssertion): Promise<StoredPasskey | undefined> {
  return getPasskey(executor, sent.id);
}

function isHandleOf(userHandle: string, { userSerial }: StoredPasskey): boolean {
  return Buffer.from(userHandle, 'base64url').toString('utf8') === userSerial;
}

/** The challenge that was signed, if it is one of ours that nobody has signed before. It is used up. */
async function takeSigned(
  executor: Executor,
  { clientDataJSON }: { readonly clientDataJSON: string },
  userSerial: string | null,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON);
  const isOurs = challenge !== undefined && (await takeChallenge(executor, challenge, userSerial));
  return isOurs ? challenge : undefined;
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' && challengeForm.test(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The library throws for whatever is wrong with what a client has sent. */
async function unlessInvalid<T>(verification: Promise<T>): Promise<T | undefined> {
  return verification.catch(() => undefined);
}
