import type { Executor } from '../database.js';

export interface View {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly isShared: boolean;
  readonly author: { readonly serial: string; readonly name: string } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface ViewRow extends Omit<View, 'author' | 'createdAt' | 'updatedAt'> {
  readonly authorSerial: string | null;
  readonly authorName: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const select = `SELECT id, views.name, query, owner_serial IS NULL AS "isShared", author_serial AS "authorSerial",
    users.name AS "authorName", views.created_at AS "createdAt", views.updated_at AS "updatedAt"
  FROM views LEFT JOIN users ON users.serial = author_serial`;

function viewOf({ authorSerial, authorName, createdAt, updatedAt, ...row }: ViewRow): View {
  const author =
    authorSerial === null || authorName === null ? null : { serial: authorSerial, name: authorName };
  return { ...row, author, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** The user's own views and the shared ones. */
export async function viewsFor(executor: Executor, userSerial: string): Promise<View[]> {
  const { rows } = await executor.query<ViewRow>({
    name: 'views-for',
    text: `${select} WHERE owner_serial = $1 OR owner_serial IS NULL ORDER BY lower(views.name), id`,
    values: [userSerial],
  });
  return rows.map(viewOf);
}

export async function viewsBy(executor: Executor, userSerial: string): Promise<View[]> {
  const { rows } = await executor.query<ViewRow>(`${select} WHERE author_serial = $1 ORDER BY id`, [
    userSerial,
  ]);
  return rows.map(viewOf);
}

export async function viewFor(executor: Executor, id: string, userSerial: string): Promise<View | undefined> {
  const { rows } = await executor.query<ViewRow>({
    name: 'view-for',
    text: `${select} WHERE id = $1 AND (owner_serial = $2 OR owner_serial IS NULL)`,
    values: [id, userSerial],
  });
  return rows[0] && viewOf(rows[0]);
}

/** Lets one transaction at a time change views, so that their number and names stay within the rules. */
export async function lockViews(tx: Executor): Promise<void> {
  await tx.query('LOCK TABLE views IN SHARE ROW EXCLUSIVE MODE');
}

/** Views of one owner, or shared views without. */
export async function viewsOfOwner(
  tx: Executor,
  ownerSerial: string | null,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await tx.query<{ id: string; name: string }>(
    'SELECT id, name FROM views WHERE owner_serial IS NOT DISTINCT FROM $1',
    [ownerSerial],
  );
  return rows;
}

export interface StoredView extends Pick<View, 'id' | 'name' | 'query'> {
  readonly ownerSerial: string | null;
  readonly authorSerial: string;
}

export async function insertView(
  tx: Executor,
  { id, ownerSerial, authorSerial, name, query }: StoredView,
): Promise<void> {
  await tx.query(
    'INSERT INTO views (id, owner_serial, author_serial, name, query) VALUES ($1, $2, $3, $4, $5)',
    [...[id, ownerSerial, authorSerial, name, query]],
  );
}

export async function updateView(
  tx: Executor,
  { id, ownerSerial, authorSerial, name, query }: StoredView,
): Promise<void> {
  await tx.query(
    `UPDATE views SET owner_serial = $2, author_serial = $3, name = $4, query = $5, updated_at = now() WHERE id = $1`,
    [id, ownerSerial, authorSerial, name, query],
  );
}

export async function deleteViews(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM views WHERE id = ANY ($1::uuid[])', [ids]);
}

/** Of all users. */
export async function allViewQueries(
  tx: Executor,
): Promise<readonly { readonly id: string; readonly query: string }[]> {
  const { rows } = await tx.query<{ id: string; query: string }>('SELECT id, query FROM views');
  return rows;
}
