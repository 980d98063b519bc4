import type { Attribute, AttributeSettings } from '../../contract/attributes.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

type Details = Pick<
  AttributeSettings,
  'labels' | 'synonyms' | 'maxLength' | 'pattern' | 'minimum' | 'maximum' | 'choices'
>;
type Row = Omit<Attribute, keyof Details | 'createdAt' | 'updatedAt'> & {
  readonly details: Details;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const columns = `id, version, key, type, is_unique AS "isUnique", is_searchable AS "isSearchable",
  is_filterable AS "isFilterable", is_sensitive AS "isSensitive", is_editable_by_user AS "isEditableByUser",
  retired_at IS NOT NULL AS "isRetired", created_at AS "createdAt", updated_at AS "updatedAt", details`;

function attributeOf({ details, createdAt, updatedAt, ...row }: Row): Attribute {
  return { ...row, ...details, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

function detailsOf(settings: AttributeSettings): string {
  const { labels, synonyms, maxLength, pattern, minimum, maximum, choices } = settings;
  return JSON.stringify({
    labels,
    synonyms,
    maxLength,
    pattern,
    minimum,
    maximum,
    choices,
  } satisfies Details);
}

/** In order of creation. */
export async function listAttributes(
  executor: Executor,
  /** Deleted attributes that count as defined. */
  restored: readonly string[] = [],
): Promise<Attribute[]> {
  const { rows } = await executor.query<Row>({
    name: 'list-attributes',
    text: `SELECT ${columns} FROM attributes WHERE deleted_at IS NULL OR id = ANY ($1::integer[]) ORDER BY id`,
    values: [plainArray(restored)],
  });
  return rows.map(attributeOf);
}

/** Defines a deleted attribute again, unless another one has its key by now. */
export async function restoreAttributes(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE attributes SET deleted_at = NULL, version = nextval('attribute_numbers'), updated_at = now()
     WHERE id = ANY ($1::integer[]) AND deleted_at IS NOT NULL AND NOT EXISTS (
       SELECT FROM attributes AS other WHERE other.deleted_at IS NULL AND lower(other.key) = lower(attributes.key))`,
    [plainArray(ids)],
  );
}

/** The attributes by which searches find users. */
export async function searchedAttributeIds(executor: Executor): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>({
    name: 'searched-attribute-ids',
    text: 'SELECT id FROM attributes WHERE is_searchable AND deleted_at IS NULL ORDER BY id',
  });
  return rows.map(({ id }) => id);
}

/** Lets one transaction at a time change definitions, and none store values meanwhile. */
export async function lockAttributes(tx: Executor): Promise<Attribute[]> {
  await tx.query('LOCK TABLE attributes IN EXCLUSIVE MODE');
  return listAttributes(tx);
}

export async function insertAttribute(tx: Executor, settings: AttributeSettings): Promise<Attribute> {
  const { rows } = await tx.query<Row>(
    `INSERT INTO attributes (key, type, is_unique, is_searchable, is_filterable, is_sensitive, is_editable_by_user, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
    [
      settings.key,
      settings.type,
      settings.isUnique,
      settings.isSearchable,
      settings.isFilterable,
      settings.isSensitive,
      settings.isEditableByUser,
      detailsOf(settings),
    ],
  );
  return attributeOf(rows[0] as Row);
}

export async function updateAttribute(tx: Executor, attribute: Attribute): Promise<Attribute> {
  const { rows } = await tx.query<Row>(
    `UPDATE attributes SET key = $2, is_unique = $3, is_searchable = $4, is_filterable = $5, is_sensitive = $6,
       is_editable_by_user = $7, details = $8, version = nextval('attribute_numbers'), updated_at = now(),
       retired_at = CASE WHEN $9::boolean THEN coalesce(retired_at, now()) END
     WHERE id = $1 RETURNING ${columns}`,
    [
      attribute.id,
      attribute.key,
      attribute.isUnique,
      attribute.isSearchable,
      attribute.isFilterable,
      attribute.isSensitive,
      attribute.isEditableByUser,
      detailsOf(attribute),
      attribute.isRetired,
    ],
  );
  return attributeOf(rows[0] as Row);
}

/** Its values are no longer shown or guarded. */
export async function deleteAttribute(tx: Executor, id: number): Promise<void> {
  await tx.query(
    `UPDATE attributes SET deleted_at = now(), version = nextval('attribute_numbers') WHERE id = $1`,
    [id],
  );
  await tx.query('DELETE FROM unique_attributes WHERE attribute_id = $1', [id]);
}

/**
 * Keeps these definitions as they are until the transaction ends, and returns their versions by ID. A definition that is
 * being changed is waited for.
 */
export async function shareAttributes(
  tx: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await tx.query<{ id: number; version: number }>({
    name: 'share-attributes',
    text: 'SELECT id, version FROM attributes WHERE id = ANY ($1::integer[]) AND deleted_at IS NULL ORDER BY id FOR SHARE',
    values: [plainArray(ids)],
  });
  return new Map(rows.map(({ id, version }) => [String(id), version]));
}

/** A value that no two users may have. */
export interface UniqueValue {
  readonly attributeId: string;
  readonly value: string;
}

/** The serials of the users who have one of these values. */
export async function uniqueValueHolders(
  executor: Executor,
  wanted: readonly UniqueValue[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const { rows } = await executor.query<{ serial: string }>({
    name: 'unique-value-holders',
    text: `SELECT DISTINCT user_serial AS serial FROM unique_attributes
           JOIN unnest($1::integer[], $2::text[]) AS wanted (attribute_id, value) USING (attribute_id, value)`,
    values: [
      plainArray(wanted.map(({ attributeId }) => attributeId)),
      textArray(wanted.map(({ value }) => value)),
    ],
  });
  return rows.map(({ serial }) => serial);
}

/** Brings the guarded values of these users up to date. Fails with a unique violation if another user has one of them. */
export async function renewUniqueValues(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  const values = [plainArray(serials)];
  const released = tx.query({
    name: 'release-unique-values',
    text: 'DELETE FROM unique_attributes WHERE user_serial = ANY ($1::uuid[])',
    values,
  });
  const taken = tx.query({
    name: 'take-unique-values',
    text: `INSERT INTO unique_attributes (attribute_id, user_serial, value)
           SELECT attributes.id, users.serial, users.attributes ->> attributes.id::text
           FROM users JOIN attributes ON attributes.is_unique AND deleted_at IS NULL AND users.attributes ? attributes.id::text
           WHERE users.serial = ANY ($1::uuid[]) ORDER BY 1, 3`,
    values,
  });
  await Promise.all([released, taken]);
}

/** Guards the values that users have, or no longer does. */
export async function guardValues(tx: Executor, { id, isUnique }: Attribute): Promise<void> {
  if (!isUnique) {
    await tx.query('DELETE FROM unique_attributes WHERE attribute_id = $1', [id]);
    return;
  }
  await tx.query(
    `INSERT INTO unique_attributes (attribute_id, user_serial, value)
     SELECT $1::integer, serial, attributes ->> $2::text FROM users WHERE attributes ? $2 FOR SHARE`,
    [id, String(id)],
  );
}

/** How many values several users have. Reads all users. */
export async function countSharedValues(executor: Executor, id: number): Promise<number> {
  const { rows } = await executor.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM users WHERE attributes ? $1::text GROUP BY attributes ->> $1::text HAVING count(*) > 1) AS shared`,
    [String(id)],
  );
  return rows[0]?.count ?? 0;
}

/** The users who have a value. Reads all users. */
export async function listAttributeUsers(executor: Executor, id: number): Promise<string[]> {
  const { rows } = await executor.query<{ serial: string }>(
    'SELECT serial FROM users WHERE attributes ? $1::text ORDER BY serial',
    [String(id)],
  );
  return rows.map(({ serial }) => serial);
}
