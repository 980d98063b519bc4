import { v7 } from 'uuid';
import { type Failure, failure } from '../../contract/errors.js';
import { viewLimits } from '../../contract/limits.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  deleteViews,
  insertView,
  lockViews,
  type StoredView,
  updateView as storeView,
  type View,
  viewFor,
  viewsFor,
  viewsOfOwner,
} from '../../storage/users/views.js';
import type { UserActor } from '../caller.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';

export interface ViewSettings {
  readonly name: string;
  readonly query: string;
  readonly isShared: boolean;
}

type Viewer = Pick<UserActor, 'id' | 'scopes'>;
type ViewResult = Result<{ readonly view: View }>;

export function listViews({ pool }: Database, { id }: Viewer): Promise<View[]> {
  return viewsFor(pool, id);
}

export function createView(database: Database, settings: ViewSettings, viewer: Viewer): Promise<ViewResult> {
  return transaction(database, async (tx) => {
    await lockViews(tx);
    const view = stored(v7(), settings, viewer.id);
    const problem = await placeProblem(tx, view);
    if (problem) return { ok: false, failure: problem };
    await insertView(tx, view);
    return changed(tx, view.id, viewer);
  });
}

/** A view that is no longer shared is its author's own, or, without an author, that of whoever ends it. */
export function updateView(
  database: Database,
  id: string,
  changes: Partial<ViewSettings>,
  viewer: Viewer,
): Promise<ViewResult> {
  return transaction(database, async (tx) => {
    await lockViews(tx);
    const found = await changeableView(tx, id, viewer);
    if (!found.ok) return found;
    const before = found.view;
    const view = stored(id, { ...before, ...changes }, before.author?.serial ?? viewer.id);
    const problem = await placeProblem(tx, view);
    if (problem) return { ok: false, failure: problem };
    await storeView(tx, view);
    return changed(tx, id, { id: view.authorSerial });
  });
}

export function deleteView(database: Database, id: string, viewer: Viewer): Promise<ViewResult> {
  return transaction(database, async (tx) => {
    await lockViews(tx);
    const found = await changeableView(tx, id, viewer);
    if (found.ok) await deleteViews(tx, [id]);
    return found;
  });
}

function stored(id: string, { name, query, isShared }: ViewSettings, authorSerial: string): StoredView {
  const parameters = new URLSearchParams(query).toString();
  return {
    id,
    name: name.trim(),
    query: parameters,
    ownerSerial: isShared ? null : authorSerial,
    authorSerial,
  };
}

async function changed(tx: Executor, id: string, viewer: Pick<Viewer, 'id'>): Promise<ViewResult> {
  const view = await viewFor(tx, id, viewer.id);
  return view ? { ok: true, view } : notFound();
}

async function changeableView(tx: Executor, id: string, { id: viewer, scopes }: Viewer): Promise<ViewResult> {
  const view = isSerial(id) ? await viewFor(tx, id, viewer) : undefined;
  if (!view) return notFound();
  if (view.author?.serial === viewer || scopes.has('access:admin')) return { ok: true, view };
  const detail =
    'Somebody else has shared this view. Ask them or an administrator, or save a view of your own.';
  return { ok: false, failure: failure('VIEW_OF_SOMEBODY_ELSE', detail) };
}

async function placeProblem(
  tx: Executor,
  { id, name, ownerSerial }: StoredView,
): Promise<Failure | undefined> {
  const others = (await viewsOfOwner(tx, ownerSerial)).filter((view) => view.id !== id);
  const whose = ownerSerial === null ? 'shared views' : 'your views';
  const same = others.find((view) => view.name.toLowerCase() === name.toLowerCase());
  if (same) {
    const detail = `One of ${whose} is already called "${same.name}". Choose another name, or change that view.`;
    return failure('VIEW_NAME_TAKEN', detail, { id: same.id });
  }
  const limit = ownerSerial === null ? viewLimits.sharedMax : viewLimits.ownMax;
  if (others.length < limit) return undefined;
  return failure('VIEW_TOO_MANY', `There can be ${limit} of ${whose}. Delete one that is not used.`, {
    limit,
  });
}

function notFound(): { readonly ok: false; readonly failure: Failure } {
  const detail = 'You have no view with this ID, and nobody has shared one. See GET /service/views.';
  return { ok: false, failure: failure('VIEW_NOT_FOUND', detail) };
}
