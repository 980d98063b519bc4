import type { StoredUser } from '../../contract/users.js';
import { usernameKey } from '../../contract/users.js';
import { patchOperationsIn } from '../../scim/bulk/operation.js';
import { type LinkedOperation, referredBulkId } from '../../scim/bulk/references.js';
import type { JsonObject } from '../../scim/language/json.js';
import { applyPatch } from '../../scim/language/patch.js';
import { parseStoredData } from '../../scim/stored-data.js';
import { type ProvisionedUser, type WantedUser, wantedUser } from '../../scim/user-resource.js';
import type { Parsed } from '../read-fields.js';
import type { Result } from '../result.js';
import {
  type BulkChange,
  contactRequired,
  type InitialPasswordRules,
  type NewUser,
} from '../users/user-rules.js';
import { rejected } from './failures.js';
import type { ProviderRequest, VisibleSchema } from './resource-facts.js';
import {
  changeOf,
  comingBack,
  deletingChange,
  employeeIdFor,
  fieldsWith,
  type Meanings,
  newUserOf,
  passwordProblem,
  readSent,
} from './user-fields.js';

/** An operation on a user of a bulk request, with what can be read without the database. */
export interface UserOperation extends LinkedOperation {
  /** Of a POST. */
  readonly creation: { readonly wanted: WantedUser; readonly employeeID: string } | undefined;
  /** Of a PUT. */
  readonly resource: JsonObject | undefined;
  /** Of a PATCH. */
  readonly patch: readonly unknown[] | undefined;
  /** Names of attributes that nobody knows. */
  readonly ignored: readonly string[];
}

/** The same checks as for a request with this one operation. */
export function readUserOperation(
  rules: InitialPasswordRules,
  operation: LinkedOperation,
  visible: VisibleSchema,
  request: ProviderRequest,
): Parsed<UserOperation> {
  const plain = { creation: undefined, resource: undefined, patch: undefined, ignored: [] };
  if (operation.method === 'DELETE') return { ok: true, value: { ...operation, ...plain } };
  if (operation.method === 'PATCH') {
    const patch = patchOperationsIn(operation.data);
    return patch.ok ? { ok: true, value: { ...operation, ...plain, patch: patch.value } } : rejected(patch);
  }
  const read = readSent(operation.data, visible, request);
  if (!read.ok) return read;
  const { resource, unknown: ignored } = read;
  if (operation.method === 'PUT') return { ok: true, value: { ...operation, ...plain, resource, ignored } };
  const wanted = wantedUser('create', resource, null, factsOf(visible, request));
  if (!wanted.ok) return rejected(wanted);
  const employeeID = employeeIdFor(wanted.value, resource, request);
  if (!employeeID.ok) return rejected(employeeID);
  const { email, phone, password = null, names } = wanted.value;
  if (email == null && phone == null) return { ok: false, failure: contactRequired(undefined) };
  const named = { password, employeeID: employeeID.value, username: names?.username ?? null };
  const problem = passwordProblem(rules, named);
  if (problem) return { ok: false, failure: problem };
  const creation = { wanted: wanted.value, employeeID: employeeID.value };
  return { ok: true, value: { ...operation, ...plain, creation, ignored } };
}

/** What a PUT or PATCH makes of its user. */
export function wantedOf(
  { resource, patch }: Pick<UserOperation, 'resource' | 'patch'>,
  before: { readonly user: ProvisionedUser; readonly resource: JsonObject },
  visible: VisibleSchema,
  request: ProviderRequest,
): Result<{ readonly wanted: WantedUser }> {
  const patched = patch && applyPatch(before.resource, patch, visible.schema);
  if (patched && !patched.ok) return rejected(patched);
  const after = patched ? patched.value : (resource ?? {});
  const wanted = wantedUser(patch ? 'patch' : 'replace', after, before, factsOf(visible, request));
  return wanted.ok ? { ok: true, wanted: wanted.value } : rejected(wanted);
}

/** What a resource means depends on. Copying everything would cost more than the rest. */
function factsOf({ company }: VisibleSchema, { provider: { clientId } }: ProviderRequest) {
  return { clientId, company };
}

/** The user whom a manager's `bulkId` refers to. */
export interface ReferredManager {
  readonly serial: string | null;
  readonly employeeID: string;
  /** If the user is created by an earlier item of the same batch. */
  readonly requires: BulkChange['requires'];
}

/** With the manager whom another operation of the request has created, or is about to. */
export function meaningsWith(
  meanings: Meanings,
  manager: string | null | undefined,
  referred: ReferredManager | undefined,
): Meanings {
  if (!referred || manager == null) return meanings;
  const { employeeID, serial } = referred;
  return { ...meanings, managers: new Map([[manager, { employeeID, serial: serial ?? '' }]]) };
}

export function managerReference({ manager }: WantedUser): string | undefined {
  return referredBulkId(manager);
}

/** A user who is created, unless somebody has one of the names. */
export function creatingItem(
  { creation }: Pick<UserOperation, 'creation'>,
  meanings: Meanings,
  visible: VisibleSchema,
): Result<{ readonly user: NewUser }> {
  if (!creation) throw new Error('only a POST creates users');
  const fields = fieldsWith(meanings, creation.wanted, visible);
  return fields.ok
    ? { ok: true, user: newUserOf(creation.employeeID, creation.wanted, fields.fields) }
    : fields;
}

export const nobody = { asOf: '', serial: null } as const;

/** Fails if anybody has the employee ID, because no stored user is meant. */
export function creatingChange(user: NewUser): BulkChange {
  const { employeeID, password, managerSerial: _, attributes, ...fields } = user;
  return {
    targetEmployeeID: employeeID,
    targetThen: nobody,
    change: { ...fields, ...(attributes !== null && { attributes: JSON.parse(attributes) }) },
    creation: { password, passwordProblem: undefined },
  };
}

/** For a user who exists. */
function changing(user: StoredUser, change: BulkChange['change']): BulkChange {
  return {
    targetEmployeeID: user.employeeID,
    targetThen: { asOf: '', serial: user.serial },
    change,
    creation: undefined,
  };
}

export function returningChange(user: NewUser, holder: StoredUser): BulkChange {
  return changing(holder, comingBack(user, holder));
}

export function deletingItem(user: StoredUser, { provider }: ProviderRequest): BulkChange {
  return changing(user, deletingChange(user.scim, provider.clientId));
}

export function changingItem(
  user: StoredUser,
  wanted: WantedUser,
  meanings: Meanings,
  visible: VisibleSchema,
): Parsed<BulkChange> {
  const fields = fieldsWith(meanings, wanted, visible);
  if (!fields.ok) return fields;
  const change = changeOf(wanted, fields);
  return change.ok ? { ok: true, value: changing(user, change.value) } : rejected(change);
}

/** The names of a user or of an operation, told apart by their kinds. */
export function namesIn({
  employeeID,
  username,
  signInName,
}: Partial<Pick<StoredUser, 'employeeID' | 'username' | 'signInName'>>): string[] {
  return [
    ...(employeeID === undefined ? [] : [`employeeID ${employeeID}`]),
    ...(username == null ? [] : [`username ${usernameKey(username)}`]),
    ...(signInName == null ? [] : [`signInName ${signInName}`]),
  ];
}

/** By which providers refer to the user as a manager, besides the serial. */
export function referencesTo(
  { employeeID, scim }: { readonly employeeID: string; readonly scim: string | null },
  { provider }: ProviderRequest,
): string[] {
  const externalId = parseStoredData(scim).externalIds?.[provider.clientId];
  return externalId === undefined ? [employeeID] : [employeeID, externalId];
}
