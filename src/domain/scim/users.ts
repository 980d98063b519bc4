import { type Failure, failure, takenByOf } from '../../contract/errors.js';
import type { StoredUser } from '../../contract/users.js';
import type { JsonObject } from '../../scim/language/json.js';
import { applyPatch } from '../../scim/language/patch.js';
import { type ProvisionedUser, type WantedUser, type Writing, wantedUser } from '../../scim/user-resource.js';
import { replaceByInitialPassword } from '../../storage/access/credentials.js';
import { getRole } from '../../storage/access/roles.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { cancelPasswordsOf, insertNotices } from '../../storage/delivery/user-deliveries.js';
import { getUser, type VersionedUser } from '../../storage/users/read-users.js';
import { recordAccess } from '../audit/access-event.js';
import { type Caller, changeOrigin } from '../caller.js';
import { eraseUser } from '../erasure/erase-user.js';
import type { NoticeContext } from '../notices/notices.js';
import type { Result } from '../result.js';
import { isSerial, withCreatedAt } from '../serial.js';
import { mayAdminister } from '../users/administrators.js';
import { type CreateUserContext, createUser } from '../users/create-user.js';
import { deactivates } from '../users/plans/protected-users.js';
import { noticeTo } from '../users/update-consequences.js';
import { type UpdateUserContext, updateUser } from '../users/update-user.js';
import type { InitialPasswordRules, NewUser } from '../users/user-rules.js';
import { contactRequired } from '../users/user-rules.js';
import { admitDeactivations } from './deactivation-limit.js';
import { noResource, rejected } from './failures.js';
import { type ProviderRequest, userResources, type VisibleSchema } from './resource-facts.js';
import { sharedSchema, sharedUser } from './shared-reads.js';
import {
  changeOf,
  comingBack,
  deletingChange,
  employeeIdFor,
  fieldsOf,
  isReturnable,
  isVisibleTo,
  newUserOf,
  passwordProblem,
  readSent,
  staleVersion,
} from './user-fields.js';

export interface ScimUserContext
  extends CreateUserContext,
    UpdateUserContext,
    InitialPasswordRules,
    NoticeContext {}

export interface Provisioned {
  readonly resource: JsonObject;
  readonly user: ProvisionedUser;
  readonly visible: VisibleSchema;
  /** Attributes that were sent, and that nobody knows. */
  readonly ignored: readonly string[];
}

type ProvisionedResult = Result<Provisioned>;

export interface Addressed {
  readonly id: string;
  /** Whether the client has seen the version; without an If-Match header, it need not have. */
  readonly ifMatch: ((version: number) => boolean) | undefined;
}

export async function getScimUser(
  { database }: ScimUserContext,
  id: string,
  request: ProviderRequest,
): Promise<Result<Provisioned & { readonly read: VersionedUser }>> {
  const [found, visible] = await Promise.all([
    findUser(database, id, request),
    sharedSchema(database, request.caller),
  ]);
  if (!found) return { ok: false, failure: noResource('User', id) };
  const provisioned = await shown(database.pool, found, visible, request);
  return provisioned.ok ? { ...provisioned, read: found } : provisioned;
}

async function shown(
  executor: Executor,
  found: VersionedUser,
  visible: VisibleSchema,
  request: ProviderRequest,
  ignored: readonly string[] = [],
): Promise<ProvisionedResult> {
  const [only] = await userResources(executor, [found], visible, request);
  if (!only) throw new Error('a user has a resource');
  return { ok: true, ...only, visible, ignored };
}

/** Among those that the provider may see. */
async function findUser(
  database: Database,
  id: string,
  request: ProviderRequest,
): Promise<VersionedUser | undefined> {
  const found = isSerial(id) ? await sharedUser(database, id.toLowerCase()) : undefined;
  return found && isVisibleTo(request, found.user) ? found : undefined;
}

/** A user whom a provider has deleted comes back, with the same ID. */
export async function createScimUser(
  context: ScimUserContext,
  body: unknown,
  request: ProviderRequest,
): Promise<ProvisionedResult> {
  const { pool } = context.database;
  const visible = await sharedSchema(context.database, request.caller);
  const read = readSent(body, visible, request);
  if (!read.ok) return read;
  const wanted = wantedUser('create', read.resource, null, { ...request.provider, ...visible });
  if (!wanted.ok) return rejected(wanted);
  const employeeID = employeeIdFor(wanted.value, read.resource, request);
  if (!employeeID.ok) return rejected(employeeID);
  const fields = await fieldsOf(pool, wanted.value, visible, request);
  if (!fields.ok) return fields;
  const user = newUserOf(employeeID.value, wanted.value, fields.fields);
  if (user.email === null && user.phone === null) return { ok: false, failure: contactRequired(undefined) };
  const problem = passwordProblem(context, user);
  if (problem) return { ok: false, failure: problem };
  const created = await createOrBringBack(context, user, wanted.value.employeeNumber, request);
  if (!created.ok) return created;
  const { serial, isNew } = created;
  const view = isNew ? newView(user, serial, fields.managerSerial) : await getUser(pool, serial);
  if (!view) return { ok: false, failure: noResource('User', serial) };
  return shown(pool, view, visible, request, read.unknown);
}

/** As the user was stored a moment ago. */
function newView(user: NewUser, serial: string, managerSerial: string | null): VersionedUser {
  const { password: _, managerEmployeeID: __, ...fields } = user;
  const createdAt = withCreatedAt(serial).createdAt.toISOString();
  return { user: { ...fields, serial, managerSerial, createdAt, updatedAt: createdAt }, version: 1 };
}

/** How often the creation is tried again after a deleted user has made room. */
const attemptsMax = 3;

type Made = Result<{ readonly serial: string; readonly isNew: boolean }>;

async function createOrBringBack(
  context: ScimUserContext,
  user: NewUser,
  employeeNumber: string | undefined,
  request: ProviderRequest,
): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    const created = await createUser(context, user, request.caller);
    if (created.ok) return { ok: true, serial: created.serial, isNew: true };
    const holder = attempt < attemptsMax ? await deletedHolder(context, created.failure, request) : undefined;
    if (!holder) return created;
    const { serial, employeeID } = holder.user;
    const comesBack = employeeNumber === undefined || employeeNumber === employeeID;
    // Whoever was deleted does not keep a name from others.
    const change = comesBack ? comingBack(user, holder.user) : { username: null, signInName: null };
    const passwordHash =
      comesBack && user.password !== null ? await context.passwords.hash(user.password) : undefined;
    const updated = await updateUser(context, serial, change, {
      versionIsKnown: (version) => version === holder.version,
      caller: request.caller,
      notify: false,
      alongside: (tx, before, after) =>
        alongsideChange(context, tx, { before, after, passwordHash }, request),
    });
    if (updated.ok && comesBack) return { ok: true, serial, isNew: false };
    if (!updated.ok && updated.failure.error !== 'REQUEST_PRECONDITION_FAILED') return updated;
  }
}

/** The user with a name that was wanted, if a provider has deleted them. */
async function deletedHolder(
  { database: { pool } }: ScimUserContext,
  problem: Failure,
  request: ProviderRequest,
): Promise<VersionedUser | undefined> {
  const serial = takenByOf(problem)?.serial;
  const holder = serial ? await getUser(pool, serial) : undefined;
  return holder && isReturnable(request, holder.user) ? holder : undefined;
}

export function replaceScimUser(
  context: ScimUserContext,
  addressed: Addressed,
  body: unknown,
  request: ProviderRequest,
): Promise<ProvisionedResult> {
  return writeUser(context, addressed, request, (_before, visible) => {
    const read = readSent(body, visible, request);
    return read.ok ? { ...read, writing: 'replace' } : read;
  });
}

export function patchScimUser(
  context: ScimUserContext,
  addressed: Addressed,
  operations: readonly unknown[],
  request: ProviderRequest,
): Promise<ProvisionedResult> {
  return writeUser(context, addressed, request, (before, { schema }) => {
    const patched = applyPatch(before, operations, schema);
    if (!patched.ok) return rejected(patched);
    return { ok: true, resource: patched.value, unknown: [], writing: 'patch' };
  });
}

/** The resource that a request leads to. */
type WrittenResource =
  | {
      readonly ok: true;
      readonly resource: JsonObject;
      readonly unknown: readonly string[];
      readonly writing: Writing;
    }
  | { readonly ok: false; readonly failure: Failure };

/** What was made of a user who has been changed meanwhile is made again, unless the client insists on a version. */
async function writeUser(
  context: ScimUserContext,
  { id, ifMatch }: Addressed,
  request: ProviderRequest,
  make: (before: JsonObject, visible: VisibleSchema) => WrittenResource,
): Promise<ProvisionedResult> {
  const { pool } = context.database;
  for (let attempt = 1; ; attempt++) {
    const current = await getScimUser(context, id, request);
    if (!current.ok) return current;
    const { user, resource, visible, read } = current;
    if (ifMatch && !ifMatch(user.version)) return { ok: false, failure: staleVersion() };
    const made = make(resource, visible);
    if (!made.ok) return made;
    const wanted = wantedUser(
      made.writing,
      made.resource,
      { user, resource },
      { ...request.provider, ...visible },
    );
    if (!wanted.ok) return rejected(wanted);
    const written = await applyWanted(context, { user, read }, wanted.value, visible, request);
    const isOutdated = !written.ok && written.failure.error === 'REQUEST_PRECONDITION_FAILED';
    if (isOutdated && !ifMatch && attempt < context.limits.raceAttemptsMax) continue;
    return written.ok ? shown(pool, written, visible, request, made.unknown) : written;
  }
}

async function applyWanted(
  context: ScimUserContext,
  { user: before, read }: { readonly user: ProvisionedUser; readonly read: VersionedUser },
  wanted: WantedUser,
  visible: VisibleSchema,
  request: ProviderRequest,
): Promise<({ readonly ok: true } & VersionedUser) | { readonly ok: false; readonly failure: Failure }> {
  const { password } = wanted;
  const fields = await fieldsOf(context.database.pool, wanted, visible, request);
  if (!fields.ok) return fields;
  const change = changeOf(wanted, fields);
  if (!change.ok) return rejected(change);
  const problem = passwordProblem(context, { ...before, password: password ?? null });
  if (problem) return { ok: false, failure: problem };
  const passwordHash = password === undefined ? undefined : await context.passwords.hash(password);
  return updateUser(context, before.serial, change.value, {
    versionIsKnown: (version) => version === before.version,
    ...(passwordHash === undefined && { read }),
    caller: request.caller,
    notify: false,
    alongside: (tx, stored, after) =>
      alongsideChange(context, tx, { before: stored, after, passwordHash }, request),
  });
}

interface WrittenChange {
  readonly before: StoredUser;
  readonly after: StoredUser;
  readonly passwordHash: string | undefined;
}

/** What else belongs to a change, or why it is rejected. */
async function alongsideChange(
  context: ScimUserContext,
  tx: Executor,
  { before, after, passwordHash }: WrittenChange,
  request: ProviderRequest,
): Promise<Failure | undefined> {
  const setsPassword = passwordHash !== undefined;
  const problem =
    (setsPassword ? await protectedPassword(tx, before, request.caller) : undefined) ??
    (await admitDeactivation(context, tx, before, after, request));
  if (!problem && setsPassword) await setPassword(context, tx, before, passwordHash, request.caller);
  return problem;
}

/** Whoever sets the password of a user with a role can sign in as that user. */
async function protectedPassword(
  tx: Executor,
  user: StoredUser,
  caller: Caller,
): Promise<Failure | undefined> {
  if (mayAdminister(caller) || (await getRole(tx, user.serial)) === null) return undefined;
  return failure(
    'USER_PROTECTED',
    'The user has a role, so you need the scope access:admin to change "password". Ask an administrator to change it.',
    { fields: ['password'], scope: 'access:admin' },
  );
}

/** A provider that unassigns everyone by mistake must not lock everyone out. */
async function admitDeactivation(
  context: NoticeContext,
  tx: Executor,
  before: StoredUser,
  after: StoredUser,
  { provider }: ProviderRequest,
): Promise<Failure | undefined> {
  return deactivates(before, after) ? admitDeactivations(context, tx, provider.clientId, 1) : undefined;
}

/** An initial password, which the user has to change. It ends the old one, all sessions, and messages with another. */
async function setPassword(
  { initialPasswordLifetimeHours, changeNotices }: ScimUserContext,
  tx: Executor,
  user: StoredUser,
  passwordHash: string,
  caller: Caller,
): Promise<void> {
  const { serial } = user;
  await cancelPasswordsOf(tx, [serial]); // lock order: deliveries before passwords
  const expiresAt = new Date(Date.now() + initialPasswordLifetimeHours * 3_600_000);
  await replaceByInitialPassword(tx, { userSerial: serial, passwordHash }, expiresAt);
  await deleteSessionsOf(tx, [serial]);
  if (changeNotices) await insertNotices(tx, [noticeTo(user, ['password'])], changeOrigin(caller));
  await recordAccess(tx, 'password.reset', caller, { userSerial: serial });
}

/** An erasure has a transaction of its own, and counts even if it fails then. */
function admitErasure(context: ScimUserContext, { provider }: ProviderRequest): Promise<Failure | undefined> {
  return transaction(context.database, (tx) => admitDeactivations(context, tx, provider.clientId, 1));
}

/** Deactivates or erases, as the provider is set. */
export async function deleteScimUser(
  context: ScimUserContext,
  { id, ifMatch }: Addressed,
  request: ProviderRequest,
): Promise<Result<object>> {
  const { database, limits } = context;
  for (let attempt = 1; ; attempt++) {
    const found = await findUser(database, id, request);
    if (!found) return { ok: false, failure: noResource('User', id) };
    if (ifMatch && !ifMatch(found.version)) return { ok: false, failure: staleVersion() };
    if (request.provider.onDelete === 'erase') {
      const problem = await admitErasure(context, request);
      if (problem) return { ok: false, failure: problem };
      const erased = await eraseUser(context, found.user.serial, request.caller);
      return erased.ok ? { ok: true } : erased;
    }
    const change = deletingChange(found.user.scim, request.provider.clientId);
    const updated = await updateUser(context, found.user.serial, change, {
      versionIsKnown: (version) => version === found.version,
      caller: request.caller,
      notify: false,
      alongside: (tx, stored, after) => admitDeactivation(context, tx, stored, after, request),
    });
    const isOutdated = !updated.ok && updated.failure.error === 'REQUEST_PRECONDITION_FAILED';
    if (isOutdated && !ifMatch && attempt < limits.raceAttemptsMax) continue;
    return updated.ok ? { ok: true } : updated;
  }
}
