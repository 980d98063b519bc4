import type { GivenFactor, SecondFactorPolicy } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { factorLimits, type PasskeyAttestation } from '../../contract/factors.js';
import {
  confirmApp,
  countRecoveryCodes,
  deleteFactor,
  type Factor,
  insertApp,
  insertPasskey,
  listApps,
  listFactors as readFactors,
  replaceRecoveryCodes,
  renameFactor as storeName,
} from '../../storage/access/factors.js';
import { type Executor, transaction } from '../../storage/database.js';
import { lockUser } from '../../storage/users/read-users.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller, UserActor } from '../caller.js';
import { creationOptions, verifyNewPasskey } from '../factors/passkeys.js';
import { newRecoveryCodes, recoveryCodeHash } from '../factors/recovery-codes.js';
import type { RelyingParty } from '../factors/relying-party.js';
import { newTotpSecret, stepOfCode, totpUri } from '../factors/totp.js';
import { appPurpose, appSecret, type CodeContext } from '../factors/use-code.js';
import type { Result } from '../result.js';
import { isSerial, newId } from '../serial.js';
import { type FactorNoticeContext, notifyOfFactor } from './factor-changes.js';
import { type RenewedSession, renewSession, SessionEnded, sessionEnded } from './sessions.js';

export interface OwnFactorContext extends CodeContext, FactorNoticeContext {
  /** Who has to have a second factor. */
  readonly secondFactorPolicy: SecondFactorPolicy;
}

export interface OwnFactors {
  readonly factors: readonly Factor[];
  readonly recoveryCodesLeft: number;
}

export async function listOwnFactors(
  { database: { pool } }: CodeContext,
  userSerial: string,
): Promise<OwnFactors> {
  const [factors, recoveryCodesLeft] = await Promise.all([
    readFactors(pool, userSerial),
    countRecoveryCodes(pool, userSerial),
  ]);
  return { factors, recoveryCodesLeft };
}

export interface StartedApp {
  readonly id: string;
  readonly secret: string;
  readonly uri: string;
}

/** The app counts once its first code was entered, which proves that it has the secret. */
export async function startTotp(
  { database, cipher }: CodeContext,
  actor: UserActor,
  name: string,
): Promise<Result<{ started: StartedApp }>> {
  const id = newId();
  const secret = newTotpSecret();
  return transaction(database, async (tx) => {
    await lockUser(tx, actor.id);
    const full = await tooMany(tx, actor.id);
    if (full) return { ok: false, failure: full };
    await insertApp(tx, {
      ...{ id, userSerial: actor.id, name },
      secret: cipher.encrypt(secret, appPurpose(id)),
    });
    return { ok: true, started: { id, secret, uri: totpUri(secret, accountName(actor)) } };
  });
}

export interface AddedFactor {
  readonly factor: Factor;
  /** Null unless it is the first factor. */
  readonly recoveryCodes: readonly string[] | null;
  readonly session: RenewedSession;
}

type Added = Result<{ added: AddedFactor }>;

export async function confirmTotp(
  context: OwnFactorContext,
  actor: UserActor,
  code: string,
  caller: Caller,
): Promise<Added> {
  return adding(context, async (tx) => {
    await lockUser(tx, actor.id);
    const [app] = await listApps(tx, actor.id, { confirmed: false });
    if (!app) return { ok: false, failure: notStarted };
    const step = stepOfCode(appSecret(context.cipher, app), code.replace(/[\s-]/g, ''), Date.now());
    if (step === undefined) return { ok: false, failure: codeWrong };
    const factor = await confirmApp(tx, app.id, step);
    if (!factor) return { ok: false, failure: notStarted };
    return { ok: true, added: await added(context, tx, actor, { factor, given: 'code' }, caller) };
  });
}

export function passkeyCreationOptions(
  { database: { pool } }: CodeContext,
  site: RelyingParty,
  actor: UserActor,
) {
  return creationOptions(pool, site, {
    serial: actor.id,
    name: actor.name,
    signInName: accountName(actor),
  });
}

export async function addPasskey(
  context: OwnFactorContext,
  site: RelyingParty,
  actor: UserActor,
  { passkey: sent, name }: { readonly passkey: PasskeyAttestation; readonly name: string },
  caller: Caller,
): Promise<Added> {
  const verified = await verifyNewPasskey(context.database.pool, site, actor.id, sent);
  if (!verified) return { ok: false, failure: passkeyRefused };
  const { factor: given, ...passkey } = verified;
  return adding(context, async (tx) => {
    await lockUser(tx, actor.id);
    const full = await tooMany(tx, actor.id);
    if (full) return { ok: false, failure: full };
    const factor = await insertPasskey(tx, { ...passkey, id: newId(), userSerial: actor.id, name });
    if (!factor) return { ok: false, failure: passkeyExists };
    return { ok: true, added: await added(context, tx, actor, { factor, given }, caller) };
  });
}

async function adding({ database }: OwnFactorContext, add: (tx: Executor) => Promise<Added>): Promise<Added> {
  try {
    return await transaction(database, add);
  } catch (error) {
    if (error instanceof SessionEnded) return { ok: false, failure: sessionEnded };
    throw error;
  }
}

/** What follows from a new factor. Its first use counts as given, so this session is complete. */
async function added(
  context: OwnFactorContext,
  tx: Executor,
  actor: UserActor,
  { factor, given }: { readonly factor: Factor; readonly given: GivenFactor },
  caller: Caller,
): Promise<AddedFactor> {
  const { id: userSerial } = actor;
  const isFirst = (await readFactors(tx, userSerial)).length === 1;
  const recoveryCodes = isFirst ? await giveRecoveryCodes(tx, userSerial) : null;
  await recordAccess(tx, 'factor.added', caller, { userSerial, detail: factorDetail(factor) });
  await notifyOfFactor(context, tx, 'factorAdded', userSerial, caller);
  return { factor, recoveryCodes, session: await renewSession(tx, actor, { factor: given }) };
}

async function giveRecoveryCodes(tx: Executor, userSerial: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryCodeHash(userSerial, code));
  await replaceRecoveryCodes(tx, userSerial, hashes);
  return codes;
}

export async function renameFactor(
  { database }: OwnFactorContext,
  { id: userSerial }: UserActor,
  { id, name }: { readonly id: string; readonly name: string },
  caller: Caller,
): Promise<Result<{ factor: Factor }>> {
  if (!isSerial(id)) return { ok: false, failure: factorNotFound };
  return transaction(database, async (tx) => {
    const factor = await storeName(tx, { id, userSerial, name });
    if (!factor) return { ok: false, failure: factorNotFound };
    await recordAccess(tx, 'factor.renamed', caller, { userSerial, detail: factorDetail(factor) });
    return { ok: true, factor };
  });
}

/** With the last factor, the recovery codes end as well. */
export async function removeFactor(
  context: OwnFactorContext,
  { id: userSerial, role }: UserActor,
  id: string,
  caller: Caller,
): Promise<Result<object>> {
  const { database, secondFactorPolicy: policy } = context;
  return transaction(database, async (tx) => {
    await lockUser(tx, userSerial);
    const factors = await readFactors(tx, userSerial);
    const factor = factors.find((each) => each.id === id);
    if (!factor) return { ok: false, failure: factorNotFound };
    const isLast = factors.length === 1;
    if (isLast && needsFactor(policy, role)) return { ok: false, failure: lastFactor };
    await deleteFactor(tx, id);
    if (isLast) await replaceRecoveryCodes(tx, userSerial, []);
    await recordAccess(tx, 'factor.removed', caller, { userSerial, detail: factorDetail(factor) });
    await notifyOfFactor(context, tx, 'factorRemoved', userSerial, caller);
    return { ok: true };
  });
}

function needsFactor(policy: SecondFactorPolicy, role: UserActor['role']): boolean {
  return policy === 'everyone' || (policy === 'roles' && role !== null);
}

/** The codes before end. */
export async function renewRecoveryCodes(
  context: OwnFactorContext,
  { id: userSerial }: UserActor,
  caller: Caller,
): Promise<Result<{ recoveryCodes: readonly string[] }>> {
  return transaction(context.database, async (tx) => {
    await lockUser(tx, userSerial);
    if ((await readFactors(tx, userSerial)).length === 0) return { ok: false, failure: noFactor };
    const recoveryCodes = await giveRecoveryCodes(tx, userSerial);
    await recordAccess(tx, 'recovery-codes.replaced', caller, { userSerial });
    await notifyOfFactor(context, tx, 'recoveryCodesReplaced', userSerial, caller);
    return { ok: true, recoveryCodes };
  });
}

async function tooMany(tx: Executor, userSerial: string): Promise<Failure | undefined> {
  const { factorsMax: limit } = factorLimits;
  if ((await readFactors(tx, userSerial)).length < limit) return undefined;
  const detail = `You have ${limit} second factors already. Remove one that you no longer use.`;
  return failure('ACCESS_FACTOR_TOO_MANY', detail, { limit });
}

/** Without its name, which is text that a user has chosen. */
function factorDetail({ id: factorId, kind }: Factor) {
  return { factorId, kind };
}

function accountName({ username, employeeID }: UserActor): string {
  return username ?? employeeID;
}

export const codeWrong = failure(
  'ACCESS_FACTOR_CODE_WRONG',
  'The code is wrong, or was used before. Wait for the next code of your app, or use another recovery code.',
);

export const passkeyRefused = failure(
  'ACCESS_PASSKEY_REFUSED',
  'The passkey was not accepted. Try again, or use another way to sign in.',
);

const passkeyExists = failure(
  'ACCESS_PASSKEY_EXISTS',
  'This passkey is registered already. Choose another device, or remove the passkey first.',
);

const factorNotFound = failure(
  'ACCESS_FACTOR_NOT_FOUND',
  'You have no second factor with this ID. List them to see which there are.',
);

const noFactor = failure(
  'ACCESS_FACTOR_NOT_FOUND',
  'You have no second factor, so you need no recovery codes. They come with the first factor.',
);

const notStarted = failure(
  'ACCESS_FACTOR_NOT_FOUND',
  'No authenticator app waits for its first code. Start with POST /service/me/factors/totp.',
);

const lastFactor = failure(
  'ACCESS_FACTOR_LAST',
  'Your company requires a second factor, and this is your last one. Add another one, then remove this one.',
);
