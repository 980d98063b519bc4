import { randomInt } from 'node:crypto';
import { patchAttributes } from '../../contract/attribute-values.js';
import { type Failure, failure } from '../../contract/errors.js';
import { employeeIdField, serialReferenceField } from '../../contract/fields.js';
import type { UserChange } from '../../contract/user-values.js';
import type { StoredUser } from '../../contract/users.js';
import type { JsonObject } from '../../scim/language/json.js';
import { done, failed, type Outcome } from '../../scim/language/outcome.js';
import type { ProviderSettings } from '../../scim/provider-settings.js';
import { readResource } from '../../scim/read-resource.js';
import { parseStoredData, type StoredData, storedText } from '../../scim/stored-data.js';
import type { WantedUser } from '../../scim/user-resource.js';
import type { Executor } from '../../storage/database.js';
import { type MeantUser, organizationsMeantBy, usersMeantBy } from '../../storage/scim/references.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import type { InitialPasswordRules, NewUser } from '../users/user-rules.js';
import { rejected, scimFailure } from './failures.js';
import type { ProviderRequest, VisibleSchema } from './resource-facts.js';

export function readSent(body: unknown, { schema }: VisibleSchema, { provider }: ProviderRequest) {
  const read = readResource(body, schema);
  if (!read.ok) return rejected(read);
  const [stray] = read.value.unknown;
  if (stray !== undefined && provider.unknownAttributes === 'reject') {
    const name = JSON.stringify(stray.slice(0, 100));
    return rejected(
      failed('invalidValue', `${name} is not an attribute. GET /scim/v2/Schemas lists them all.`),
    );
  }
  return { ok: true as const, ...read.value };
}

/** The documented rule for users without an employee number. */
export function employeeIdFor(
  { employeeNumber }: WantedUser,
  resource: JsonObject,
  { provider }: ProviderRequest,
): Outcome<string> {
  if (employeeNumber !== undefined) return validEmployeeId(employeeNumber);
  if (provider.employeeId === 'generate') return { ok: true, value: generatedEmployeeId() };
  if (provider.employeeId === 'externalId' && typeof resource.externalId === 'string') {
    const letters = resource.externalId.replace(/[^A-Za-z0-9]/g, '');
    if (employeeIdField.accepts(letters)) return { ok: true, value: letters };
  }
  return failed(
    'invalidValue',
    'The user has no employee ID. Send "employeeNumber" of the enterprise extension, or change the setting of the provider for users without one.',
  );
}

export function validEmployeeId(employeeNumber: string): Outcome<string> {
  if (employeeIdField.accepts(employeeNumber)) return { ok: true, value: employeeNumber };
  return failed('invalidValue', `"employeeNumber" must be ${employeeIdField.rule}.`);
}

/** Without letters and digits that look alike. */
const generatedAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const generatedLength = 12;

function generatedEmployeeId(): string {
  const letters = Array.from(
    { length: generatedLength },
    () => generatedAlphabet[randomInt(generatedAlphabet.length)],
  );
  return `S${letters.join('')}`;
}

export interface ReadFields {
  /** Without names and status. */
  readonly fields: Pick<
    UserChange,
    'name' | 'email' | 'phone' | 'organizationSerial' | 'managerEmployeeID' | 'attributes' | 'scim'
  >;
  readonly managerSerial: string | null;
}

/** Finds out what references mean, and checks company attributes by their definitions. */
export async function fieldsOf(
  executor: Executor,
  wanted: WantedUser,
  visible: VisibleSchema,
  { provider }: ProviderRequest,
): Promise<Result<ReadFields>> {
  return fieldsWith(await meaningsOf(executor, [wanted], provider), wanted, visible);
}

/** What references of several users mean. */
export interface Meanings {
  /** By name or serial: the serials that it can mean. */
  readonly organizations: ReadonlyMap<string, readonly string[]>;
  readonly managers: ReadonlyMap<string, MeantUser>;
}

export async function meaningsOf(
  executor: Executor,
  wanted: readonly Pick<WantedUser, 'organization' | 'manager'>[],
  { clientId, visibleUsers }: Pick<ProviderSettings, 'clientId' | 'visibleUsers'>,
): Promise<Meanings> {
  const names = wanted.flatMap(({ organization }) => organization ?? []).map(serialReferenceField.normalize);
  const managers = wanted.flatMap(({ manager }) => manager ?? []);
  return {
    organizations: await organizationsMeantBy(executor, [
      ...new Set(names.filter(serialReferenceField.accepts)),
    ]),
    managers: await usersMeantBy(
      executor,
      { clientId, isOwn: visibleUsers === 'own' },
      [...new Set(managers)].map((text) => ({ text, serial: isSerial(text) ? text : null })),
    ),
  };
}

export function fieldsWith(
  { organizations, managers }: Meanings,
  wanted: WantedUser,
  { definitions, seesSensitive }: VisibleSchema,
): Result<ReadFields> {
  const organization = organizationOf(organizations, wanted.organization);
  if (!organization.ok) return rejected(organization);
  const manager = wanted.manager == null ? undefined : managers.get(wanted.manager);
  const sent = wanted.attributes;
  const attributes =
    Object.keys(sent).length === 0
      ? undefined
      : definitions.read(sent, {}, { nulls: 'clear', maySeeSensitive: seesSensitive });
  if (attributes && !attributes.ok) return { ok: false, failure: attributes.failure };
  const scim = wanted.manager && !manager ? withUnresolved(wanted.data, wanted.manager) : wanted.stored;
  return {
    ok: true,
    managerSerial: manager?.serial ?? null,
    fields: {
      name: wanted.name,
      email: wanted.email,
      phone: wanted.phone,
      organizationSerial: organization.value,
      managerEmployeeID: wanted.manager === undefined ? undefined : (manager?.employeeID ?? null),
      attributes: attributes?.value,
      scim,
    },
  };
}

/** A manager whom nobody knows yet is stored as sent. */
function withUnresolved(data: StoredData, manager: string): string | null {
  return storedText({ ...data, enterprise: { ...data.enterprise, manager: { value: manager } } });
}

/** The serial that a name means, or the text itself: an organization that nobody knows yet is a serial. */
function organizationOf(
  organizations: Meanings['organizations'],
  sent: string | null | undefined,
): Outcome<string | null | undefined> {
  if (sent === null || sent === undefined) return { ok: true, value: sent };
  const serial = serialReferenceField.normalize(sent);
  if (!serialReferenceField.accepts(serial)) {
    return failed(
      'invalidValue',
      `"organization" must be the name of an organization, or ${serialReferenceField.rule}.`,
    );
  }
  const meant = organizations.get(serial) ?? [];
  if (meant.length > 1) {
    return failed('invalidValue', 'Several organizations have this name. Send the serial in "organization".');
  }
  return { ok: true, value: meant[0] ?? serial };
}

export function newUserOf(
  employeeID: string,
  { names, isActive, password }: WantedUser,
  fields: ReadFields['fields'],
): NewUser {
  return {
    employeeID,
    name: fields.name ?? '',
    username: names?.username ?? null,
    signInName: names?.signInName ?? null,
    email: fields.email ?? null,
    phone: fields.phone ?? null,
    isActive,
    tagSerials: [],
    organizationSerial: fields.organizationSerial ?? null,
    managerSerial: null,
    managerEmployeeID: fields.managerEmployeeID ?? null,
    attributes: patchAttributes(null, fields.attributes ?? {}),
    scim: fields.scim ?? null,
    password: password ?? null,
  };
}

export function passwordProblem(
  { initialPasswordCheck }: InitialPasswordRules,
  { password, employeeID, username }: Pick<NewUser, 'password' | 'employeeID' | 'username'>,
): Failure | undefined {
  const problem = password === null ? undefined : initialPasswordCheck?.(password, { employeeID, username });
  return problem && scimFailure(failed('invalidValue', `"password" ${problem.text}`));
}

/** What the resource of a new user makes of one whom a provider has deleted: nothing that others maintain is lost. */
export function comingBack(user: NewUser, holder: Pick<StoredUser, 'employeeID' | 'scim'>): UserChange {
  const { name, username, signInName, isActive, attributes, scim } = user;
  const { email, phone, organizationSerial, managerEmployeeID } = user;
  return {
    ...{ employeeID: holder.employeeID, name, username, signInName, isActive },
    email: email ?? undefined,
    phone: phone ?? undefined,
    organizationSerial: organizationSerial ?? undefined,
    managerEmployeeID: managerEmployeeID ?? undefined,
    ...(attributes !== null && { attributes: JSON.parse(attributes) }),
    scim: storedText(withReturning(parseStoredData(holder.scim), parseStoredData(scim))),
  };
}

function withReturning({ deleted: _, ...before }: StoredData, after: StoredData): StoredData {
  const { userName: __, ...kept } = before;
  return {
    ...{ ...kept, ...after },
    externalIds: { ...before.externalIds, ...after.externalIds },
    providers: [...new Set([...(before.providers ?? []), ...(after.providers ?? [])])].sort(),
    sent: { ...before.sent, ...after.sent },
    core: { ...before.core, ...after.core },
    enterprise: { ...before.enterprise, ...after.enterprise },
  };
}

/** What a request makes of an existing user. */
export function changeOf(
  { names, employeeNumber, isActive }: WantedUser,
  { fields }: Pick<ReadFields, 'fields'>,
): Outcome<UserChange> {
  if (employeeNumber !== undefined) {
    const valid = validEmployeeId(employeeNumber);
    if (!valid.ok) return valid;
  }
  return done({
    ...fields,
    ...(names && { username: names.username, signInName: names.signInName }),
    employeeID: employeeNumber,
    isActive,
  });
}

/** Deactivates a user whom a provider deletes. */
export function deletingChange(stored: string | null, clientId: string): UserChange {
  const data = parseStoredData(stored);
  const providers = [...new Set([...(data.providers ?? []), clientId])].sort();
  return { isActive: false, scim: storedText({ ...data, providers, deleted: true }) };
}

type ProvisionedState = Pick<StoredUser, 'scim' | 'isActive'>;

/** Unless a provider has deleted the user, or this one may only see its own. */
export function isVisibleTo(request: ProviderRequest, user: ProvisionedState): boolean {
  return !isDeleted(user) && manages(request, user);
}

/** Whether a provider may bring the user back. */
export function isReturnable(request: ProviderRequest, user: ProvisionedState): boolean {
  return isDeleted(user) && manages(request, user);
}

/** Whoever was activated by others since then is not deleted anymore. */
export function isDeleted({ scim, isActive }: ProvisionedState): boolean {
  return !isActive && parseStoredData(scim).deleted === true;
}

function manages({ provider }: ProviderRequest, { scim }: ProvisionedState): boolean {
  if (provider.visibleUsers === 'all') return true;
  return parseStoredData(scim).providers?.includes(provider.clientId) ?? false;
}

export function staleVersion(): Failure {
  return failure(
    'REQUEST_PRECONDITION_FAILED',
    'The resource has another version. Read it again, then resend your change.',
  );
}
