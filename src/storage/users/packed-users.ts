/**
 * Reads many users as one text: for 2,500 users this costs the process 4 ms, and 10 ms as rows of ten columns. No text
 * is stored empty, so "" can represent null.
 */
export interface Packing<T> {
  /** None of them may be null. */
  readonly columns: readonly string[];
  /** Builds a user from the texts of its columns, starting at `at`. */
  unpack(texts: readonly string[], at: number): T;
}

/** The fields common to all packings of a user, in order. */
export const packedFields: readonly string[] = [
  'employee_id',
  'name',
  `coalesce(username, '')`,
  `coalesce(email, '')`,
  `coalesce(phone, '')`,
  'is_active',
  'tag_serials::text',
  `coalesce(organization_serial, '')`,
];

export type PackedRow = [count: number, packed: string | null];

/** The SELECT expression of a packing. It always returns one row. */
export function packed({ columns }: Packing<unknown>): string {
  return `count(*)::integer, string_agg(concat_ws(E'\\x1f', ${columns.join(', ')}), E'\\x1f')`;
}

/** Undefined if a name contains the separator: then there are more texts than expected. */
export function unpacked<T>({ columns, unpack }: Packing<T>, row: PackedRow | undefined): T[] | undefined {
  const [count = 0, text = null] = row ?? [];
  if (text === null) return [];
  const texts = text.split('\u001f');
  if (texts.length !== count * columns.length) return undefined;
  return Array.from({ length: count }, (_, index) => unpack(texts, index * columns.length));
}
