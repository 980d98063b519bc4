import type { ConfirmedField } from '../../contract/enums.js';
import type { Executor } from '../database.js';

export async function noteConfirmedContact(
  tx: Executor,
  { userSerial, field, value }: { userSerial: string; field: ConfirmedField; value: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO confirmed_contacts (user_serial, field, value) VALUES ($1, $2, $3)
     ON CONFLICT (user_serial, field) DO UPDATE SET value = excluded.value, confirmed_at = now()`,
    [userSerial, field, value],
  );
}

/** The values that the user has confirmed. They may have others by now. */
export async function confirmedContactsOf(
  executor: Executor,
  userSerial: string,
): Promise<ReadonlyMap<ConfirmedField, string>> {
  const { rows } = await executor.query<{ field: ConfirmedField; value: string }>({
    name: 'confirmed-contacts-of',
    text: 'SELECT field, value FROM confirmed_contacts WHERE user_serial = $1',
    values: [userSerial],
  });
  return new Map(rows.map(({ field, value }) => [field, value]));
}
