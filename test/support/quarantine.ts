import type { Reply, TestService } from './service.js';

export const quarantineSettings = {
  ROLLCALL_EMPLOYEE_ID_QUARANTINE_DAYS: '30',
  ROLLCALL_USERNAME_QUARANTINE_DAYS: '10',
};

/** Moves what users gave up into the past, whether or not it is indexed yet. */
export async function letDaysPass({ database }: TestService, serials: readonly string[], days: number) {
  const values = [serials, days];
  const tx = await database.pool.connect();
  try {
    await tx.query('BEGIN');
    await tx.query('LOCK TABLE index_state'); // the indexer must not copy rows in between
    await tx.query(
      `UPDATE changes SET at = at - make_interval(days => $2) WHERE user_serial = ANY ($1::uuid[])`,
      values,
    );
    await tx.query(
      `UPDATE former_names SET held_until = held_until - make_interval(days => $2) WHERE user_serial = ANY ($1::uuid[])`,
      values,
    );
    await tx.query('COMMIT');
  } finally {
    tx.release();
  }
}

/** The error of a single request, or of the first failed item of a bulk call. */
export function errorOf({ json }: Reply) {
  return json.data?.failedItems?.[0]?.error ?? json;
}
