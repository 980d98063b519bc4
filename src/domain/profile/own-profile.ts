import { parseAttributes } from '../../contract/attribute-values.js';
import type { Attribute } from '../../contract/attributes.js';
import {
  type ChangeAuthor,
  type ConfirmedField,
  confirmedFields,
  type OwnField,
  ownFields,
} from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import type { UserView } from '../../contract/users.js';
import type { Change } from '../../storage/changes/changes.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  type Confirmation,
  countConfirmationAttempt,
  deleteConfirmation,
  listConfirmations,
  putConfirmation,
  recentConfirmations,
} from '../../storage/delivery/contact-confirmations.js';
import { displayNamesOf } from '../../storage/directories/entry-names.js';
import { noteConfirmedContact } from '../../storage/openid/confirmed-contacts.js';
import { listReports, type Manager, type ManagerAbove, readManagers } from '../../storage/users/managers.js';
import { getUser, lockUser } from '../../storage/users/read-users.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import type { AttributeReader, AttributeSet } from '../attributes/attribute-set.js';
import { showChanges } from '../attributes/show-users.js';
import type { Caller, UserActor } from '../caller.js';
import { listChanges } from '../changes/list-changes.js';
import type { Page, PageRequest } from '../cursor.js';
import { missingUser } from '../missing-user.js';
import { newId } from '../serial.js';
import { type UpdateUserContext, updateUser } from '../users/update-user.js';
import type { UserChange } from '../users/user-rules.js';
import { codeAttemptsMax, codesPerDayMax, isConfirmationCode } from './confirmation-code.js';

export interface OwnProfileContext extends UpdateUserContext {
  /** What users may change of their own account. Attributes say so themselves. */
  readonly userEditableFields: ReadonlySet<OwnField>;
}

export interface OwnProfile {
  readonly ok: true;
  readonly user: Omit<UserView, 'attributes' | 'managerSerial' | 'scim'> & {
    readonly manager: Manager | null;
    readonly attributes: Readonly<Record<string, unknown>>;
  };
  readonly organizationName: string | null;
  readonly tagNames: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly editable: readonly string[];
  readonly confirmations: readonly Confirmation[];
  readonly reports: readonly ManagerAbove[];
  readonly hasMoreReports: boolean;
}

type Failed = { readonly ok: false; readonly failure: Failure };

const reportsShown = 100;

/** What users see of themselves. */
export async function readOwnProfile(
  { database: { pool }, userEditableFields }: Pick<OwnProfileContext, 'database' | 'userEditableFields'>,
  serial: string,
): Promise<OwnProfile | Failed> {
  const found = await getUser(pool, serial);
  if (!found) return { ok: false, failure: await missingUser(pool, serial) };
  const { attributes: stored, managerSerial, scim: _, ...user } = found.user;
  const { organizationSerial, tagSerials } = user;
  const [definitions, managers, organizations, tags, confirmations, reports] = await Promise.all([
    loadAttributes(pool),
    readManagers(pool, managerSerial === null ? [] : [managerSerial]),
    displayNamesOf(pool, 'organizations', organizationSerial === null ? [] : [organizationSerial]),
    displayNamesOf(pool, 'tags', tagSerials),
    listConfirmations(pool, serial),
    listReports(pool, serial, { all: false, after: undefined, limit: reportsShown + 1 }),
  ]);
  const attributes = definitions.all.filter(isShown);
  const values = stored === null ? {} : definitions.shown(parseAttributes(stored), true);
  return {
    ok: true,
    user: {
      ...user,
      manager: managerSerial === null ? null : (managers.get(managerSerial) ?? null),
      attributes: Object.fromEntries(
        attributes.flatMap(({ key }) => (Object.hasOwn(values, key) ? [[key, values[key]]] : [])),
      ),
    },
    organizationName:
      organizationSerial === null ? null : (organizations.get(organizationSerial) ?? organizationSerial),
    tagNames: tagSerials.map((tag) => tags.get(tag) ?? tag),
    attributes,
    editable: [
      ...ownFields.filter((field) => userEditableFields.has(field)),
      ...attributes.filter(isEditable).map(({ key }) => `attributes.${key}`),
    ],
    confirmations,
    reports: reports.slice(0, reportsShown).map(({ user: { serial, employeeID, name, isActive } }) => ({
      ...{ serial, employeeID, name, isActive },
    })),
    hasMoreReports: reports.length > reportsShown,
  };
}

/** What is sensitive may be about users without being for them, unless they are to enter it themselves. */
function isShown({ isSensitive, isEditableByUser }: Attribute): boolean {
  return isEditableByUser || !isSensitive;
}

function isEditable({ isEditableByUser, isRetired }: Attribute): boolean {
  return isEditableByUser && !isRetired;
}

/** Reads attributes of a user's own account. Others are refused in the same way, whether or not they exist. */
export function ownAttributeReader(definitions: AttributeSet): AttributeReader {
  const editable = new Set(definitions.all.filter(isEditable).map(({ key }) => key));
  return (sent, origin, nulls) => {
    const other =
      typeof sent === 'object' && sent !== null && Object.keys(sent).find((key) => !editable.has(key));
    if (typeof other === 'string') return { ok: false, failure: notEditable(`attributes.${other}`) };
    return definitions.read(sent, origin, { nulls, maySeeSensitive: true });
  };
}

export type Changed = { readonly ok: true } | Failed;

/** A new email or phone waits until its code is entered. Everything else changes at once, or nothing does. */
export async function changeOwnProfile(
  context: OwnProfileContext,
  actor: UserActor,
  { email, phone, ...others }: UserChange,
  caller: Caller,
): Promise<Changed> {
  const contacts = { email, phone };
  const refused = ownFields.find(
    (field) => ({ ...others, ...contacts })[field] !== undefined && !context.userEditableFields.has(field),
  );
  if (refused !== undefined) return { ok: false, failure: notEditable(refused) };
  const isNew = (field: ConfirmedField) => typeof contacts[field] === 'string';
  const cleared = confirmedFields.filter((field) => contacts[field] === null).map((field) => [field, null]);
  const change: UserChange = { ...others, ...Object.fromEntries(cleared) };
  const request = async (tx: Executor) => requestConfirmations(tx, actor, contacts, caller);
  if (Object.keys(change).length === 0) {
    return confirmedFields.some(isNew) ? transactionOf(context.database, request) : { ok: true };
  }
  return updateUser(context, actor.id, change, {
    versionIsKnown: () => true,
    caller: permitted(caller),
    alongside: request,
  });
}

async function transactionOf(
  database: Database,
  write: (tx: Executor) => Promise<Failure | undefined>,
): Promise<Changed> {
  const problem = await transaction(database, write);
  return problem ? { ok: false, failure: problem } : { ok: true };
}

/** Sends codes to contacts that the user does not have yet. */
async function requestConfirmations(
  tx: Executor,
  actor: UserActor,
  contacts: { readonly [Field in ConfirmedField]: string | null | undefined },
  { requestId, actor: { kind, id } }: Caller,
): Promise<Failure | undefined> {
  const user = await lockUser(tx, actor.id);
  if (!user) return missingUser(tx, actor.id);
  for (const field of confirmedFields) {
    const value = contacts[field];
    if (value === undefined) continue;
    await deleteConfirmation(tx, { userSerial: user.serial, field });
    if (value === null || value === user[field]) continue;
    const { sent, freeInSeconds } = await recentConfirmations(tx, user.serial);
    if (sent >= codesPerDayMax) return exhausted(freeInSeconds);
    await putConfirmation(
      tx,
      { userSerial: user.serial, field, value, deliveryId: newId(), attempts: codeAttemptsMax },
      { requestId, actor: { kind, id } },
    );
  }
  return undefined;
}

/** The user has received the code, so the contact is theirs. */
export async function confirmContact(
  context: OwnProfileContext,
  { id: userSerial }: UserActor,
  { field, code }: { readonly field: ConfirmedField; readonly code: string },
  caller: Caller,
): Promise<Changed> {
  if (!context.userEditableFields.has(field)) return { ok: false, failure: notEditable(field) };
  const attempted = await countConfirmationAttempt(context.database.pool, userSerial, field);
  if (!attempted) return { ok: false, failure: codeWrong(0) };
  const { value, deliveryId, codeHash, attemptsLeft } = attempted;
  if (!isConfirmationCode(deliveryId, codeHash, code)) return { ok: false, failure: codeWrong(attemptsLeft) };
  return updateUser(
    context,
    userSerial,
    { [field]: value },
    {
      versionIsKnown: () => true,
      caller: permitted(caller),
      alongside: async (tx) => {
        const isOpen = await deleteConfirmation(tx, { userSerial, field, deliveryId });
        if (!isOpen) return codeWrong(0);
        await noteConfirmedContact(tx, { userSerial, field, value });
        return undefined;
      },
    },
  );
}

/** Withdraws a new contact that waits for its code. */
export async function withdrawContact(
  database: Database,
  { id: userSerial }: UserActor,
  field: ConfirmedField,
): Promise<void> {
  await transaction(database, (tx) => deleteConfirmation(tx, { userSerial, field }));
}

/** What the company lets users change, they may change whatever their role, and even if it is sensitive. */
function permitted(caller: Caller): Caller {
  const { actor } = caller;
  const scopes = new Set([...actor.scopes, 'access:admin' as const, 'attributes:sensitive' as const]);
  return { ...caller, actor: { ...actor, scopes } };
}

/** A change of one's own account. Who else made it is nobody's business but the company's. */
export interface OwnChange {
  readonly sequence: number;
  readonly at: string;
  readonly kind: Change['kind'];
  readonly by: ChangeAuthor;
  readonly fields: object;
}

export async function ownHistory(
  database: Database,
  serial: string,
  page: PageRequest,
): Promise<Page<OwnChange>> {
  const listed = await listChanges(database, { userSerial: serial }, page);
  if (!listed.ok) return listed;
  const shown = await showChanges(database.pool, listed.items, undefined);
  return { ...listed, items: shown.map((change) => ownChange(change, serial)) };
}

function ownChange({ sequence, at, kind, actor, fields }: Change, serial: string): OwnChange {
  const { scim: _, ...others } = fields;
  const by = actor?.kind !== 'person' ? 'program' : actor.id === serial ? 'self' : 'person';
  return { sequence, at, kind, by, fields: others };
}

function notEditable(field: string): Failure {
  return failure(
    'ACCESS_FIELD_NOT_EDITABLE',
    `Your company does not let users change "${field}" themselves. Ask an administrator to change it.`,
    { field },
  );
}

function codeWrong(attemptsLeft: number): Failure {
  const next = attemptsLeft > 0 ? 'Check it and try again.' : 'Request a new one by saving the change again.';
  return failure('ACCESS_CODE_WRONG', `The code is wrong, has expired or was replaced. ${next}`, {
    attemptsLeft,
  });
}

function exhausted(retryAfterSeconds: number): Failure {
  return failure(
    'ACCESS_CODES_EXHAUSTED',
    `You have requested ${codesPerDayMax} codes within a day. Try again in ${Math.ceil(retryAfterSeconds / 3_600)} h, or ask an administrator to change it.`,
    { retryAfterSeconds },
  );
}
