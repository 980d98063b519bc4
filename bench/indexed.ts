import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { rebuildIndex } from '../src/storage/indexing/index-state.js';

/** Has the running service index all users again, after users were written without it. */
export async function reindex(client: pg.Client): Promise<void> {
  await rebuildIndex(client);
  await untilIndexed(client);
}

/** Waits until the indexer is idle, so that it does not take part in a measurement by chance. */
export async function untilIndexed(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ isDone: boolean }>(
      `SELECT built_to IS NULL AND position >= (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM change_numbers) AS "isDone"
       FROM index_state`,
    );
    if (rows[0]?.isDone) return;
    await pause(50);
  }
}
