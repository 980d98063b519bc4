import { type Failure, failure } from '../../contract/errors.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { violatedConstraint } from '../../storage/errors.js';
import {
  type Application,
  type ApplicationSettings,
  addApplicationSecret,
  insertApplication,
  lockApplication,
  getApplication as readApplication,
  listApplications as readApplications,
  deleteApplication as removeApplication,
  updateApplication as storeApplication,
} from '../../storage/openid/applications.js';
import { deleteForbiddenStates, deleteGrantsOf } from '../../storage/openid/states.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { hashSecret, newSecret } from '../clients/client-credentials.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import { isSerial, newId } from '../serial.js';

type Found = Result<{ application: Application }>;
type WithSecret = Result<{
  readonly application: Application;
  /** Returned only once. Null if the application is public. */
  readonly secret: string | null;
}>;

export type NewApplication = ApplicationSettings & Pick<Application, 'isPublic'>;
export type ApplicationChange = Partial<ApplicationSettings & Pick<Application, 'isActive'>>;

export async function createApplication(
  database: Database,
  given: NewApplication,
  caller: Caller,
): Promise<WithSecret> {
  const settings = { ...given, scopes: withOpenId(given.scopes) };
  const id = newId();
  const secret = settings.isPublic ? null : newSecret();
  return named(database, async (tx): Promise<WithSecret> => {
    const problem = await attributeProblem(tx, settings.attributes);
    if (problem) return { ok: false, failure: problem };
    await insertApplication(tx, { ...settings, id });
    if (secret !== null) await addSecret(tx, id, secret, 0);
    await recordAccess(tx, 'application.created', caller, { detail: { applicationId: id, ...settings } });
    return { ok: true, application: await existing(tx, id), secret };
  });
}

export async function getApplication(database: Database, id: string): Promise<Found> {
  const application = isSerial(id) ? await readApplication(database.pool, id) : undefined;
  return application ? { ok: true, application } : notFound();
}

export function listApplications(database: Database, page: PageRequest): Promise<Page<Application>> {
  const list = { name: 'applications', filters: {}, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => readApplications(database.pool, { afterId, limit }));
}

const settingNames = [
  'name',
  'redirectUris',
  'postLogoutUris',
  'scopes',
  'attributes',
  'organizationSerials',
  'tagSerials',
  'accessTokenSeconds',
  'refreshTokenDays',
  'isActive',
] as const;

/** Whoever may no longer sign in loses access at once, and everybody if the application is disabled. */
export function updateApplication(
  database: Database,
  id: string,
  given: ApplicationChange,
  caller: Caller,
): Promise<Found> {
  const change = given.scopes ? { ...given, scopes: withOpenId(given.scopes) } : given;
  return withApplication(database, id, async (tx, before): Promise<Found> => {
    const problem = change.attributes && (await attributeProblem(tx, change.attributes));
    if (problem) return { ok: false, failure: problem };
    await storeApplication(tx, { ...before, ...change });
    const application = await existing(tx, id);
    const changed = settingNames.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(application[name]),
    );
    if (changed.length === 0) return { ok: true, application };
    if (!application.isActive) await deleteGrantsOf(tx, { applicationId: id });
    await deleteForbiddenStates(tx);
    const settings = Object.fromEntries(
      changed.map((name) => [name, { before: before[name], after: application[name] }]),
    );
    await recordAccess(tx, 'application.changed', caller, { detail: { applicationId: id, ...settings } });
    return { ok: true, application: await existing(tx, id) };
  });
}

/** With an overlap of 0, whoever has the old secret loses the access that users have granted. */
export function rotateApplicationSecret(
  database: Database,
  id: string,
  overlapSeconds: number,
  caller: Caller,
): Promise<WithSecret> {
  return withApplication(database, id, async (tx, { isPublic }): Promise<WithSecret> => {
    if (isPublic) return { ok: false, failure: withoutSecret };
    const secret = newSecret();
    await addSecret(tx, id, secret, overlapSeconds);
    if (overlapSeconds === 0) await deleteGrantsOf(tx, { applicationId: id });
    await recordAccess(tx, 'application.secret-rotated', caller, {
      detail: { applicationId: id, overlapSeconds },
    });
    return { ok: true, application: await existing(tx, id), secret };
  });
}

export function deleteApplication(database: Database, id: string, caller: Caller): Promise<Result<object>> {
  return withApplication(database, id, async (tx, { name }): Promise<Result<object>> => {
    await removeApplication(tx, id);
    await recordAccess(tx, 'application.deleted', caller, { detail: { applicationId: id, name } });
    return { ok: true };
  });
}

/** OpenID Connect is the only protocol that applications speak. */
function withOpenId(scopes: ApplicationSettings['scopes']): ApplicationSettings['scopes'] {
  return ['openid', ...scopes.filter((scope) => scope !== 'openid')];
}

function addSecret(
  tx: Executor,
  applicationId: string,
  secret: string,
  overlapSeconds: number,
): Promise<void> {
  return addApplicationSecret(tx, { applicationId, secretHash: hashSecret(secret), overlapSeconds });
}

async function attributeProblem(tx: Executor, keys: readonly string[]): Promise<Failure | undefined> {
  if (keys.length === 0) return undefined;
  const known = new Set((await loadAttributes(tx)).all.map(({ key }) => key));
  const unknown = keys.find((key) => !known.has(key));
  if (unknown === undefined) return undefined;
  return failure(
    'ATTRIBUTE_NOT_FOUND',
    `"attributes" contains "${unknown}", which is the key of no attribute. List the attributes to see their keys.`,
  );
}

/** Within the transaction that has written it. */
async function existing(tx: Executor, id: string): Promise<Application> {
  return (await readApplication(tx, id)) as Application;
}

async function withApplication<T>(
  database: Database,
  id: string,
  work: (tx: Executor, before: Application) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (!isSerial(id)) return notFound();
  return named(database, async (tx) => {
    const before = await lockApplication(tx, id);
    return before ? work(tx, before) : notFound();
  });
}

async function named<T>(database: Database, work: (tx: Executor) => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await transaction(database, work);
  } catch (error) {
    if (violatedConstraint(error) === 'applications__name') return { ok: false, failure: nameExists };
    throw error;
  }
}

const nameExists = failure(
  'APPLICATION_NAME_EXISTS',
  'Another application has this name, ignoring case. Choose one that users can tell from it.',
);

const withoutSecret = failure(
  'APPLICATION_WITHOUT_SECRET',
  'A public application has no secret. To end the access of its users, disable it.',
);

function notFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('APPLICATION_NOT_FOUND', 'No application has this ID.') };
}
