/**
 * Many users as one text: to read 2,500 of them costs this process 4 ms, and 10 ms as rows of ten columns. No text is
 * ever stored empty, so that "" can stand for null.
 */
export interface Packing<T> {
  /** Of which none is null. */
  readonly columns: readonly string[];
  /** A user out of the texts of its columns, which begin at a place. */
  unpack(texts: readonly string[], at: number): T;
}

/** The fields that every packing of a user has, in one order. */
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

/** What is selected for a packing: one row, whoever is found. */
export function packed({ columns }: Packing<unknown>): string {
  return `count(*)::integer, string_agg(concat_ws(E'\\x1f', ${columns.join(', ')}), E'\\x1f')`;
}

/** Undefined if a name holds the character that separates: then there are more texts than there should be. */
export function unpacked<T>({ columns, unpack }: Packing<T>, row: PackedRow | undefined): T[] | undefined {
  const [count = 0, text = null] = row ?? [];
  if (text === null) return [];
  const texts = text.split('\u001f');
  if (texts.length !== count * columns.length) return undefined;
  return Array.from({ length: count }, (_, index) => unpack(texts, index * columns.length));
}
