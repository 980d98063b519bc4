import type { Executor } from '../../../storage/database.js';
import {
  type BuildProgress,
  readBuildProgress,
  readIndexState,
} from '../../../storage/indexing/index-state.js';
import { type AppliedMigration, migrationNames } from '../../../storage/migrate.js';
import { count, counted } from '../../terminal/numbers.js';
import { schemaState } from '../migrate.js';
import { type Finding, failed, good, note } from './finding.js';

export function schemaFinding(applied: readonly AppliedMigration[]): Finding {
  const { pending, unknown } = schemaState(migrationNames, applied);
  if (unknown.length > 0) {
    return failed(
      'schema',
      'newer than this version of Rollcall, which cannot start on it',
      'Use the newer version.',
    );
  }
  if (pending.length === 0) return good('schema', 'up to date');
  const found = `${counted(pending.length, 'migration')} pending; the next start applies them`;
  return note('schema', applied.length === 0 ? `empty: ${found}` : found);
}

/** Undefined if the schema is not up to date, since the tables may not exist. */
export type IndexFacts = BuildProgress | 'complete' | undefined;

export async function indexFacts(
  executor: Executor,
  applied: readonly AppliedMigration[],
): Promise<IndexFacts> {
  if (schemaState(migrationNames, applied).pending.length > 0) return undefined;
  const { builtTo } = await readIndexState(executor);
  return builtTo === undefined ? 'complete' : readBuildProgress(executor);
}

export function indexFinding(facts: IndexFacts): Finding {
  if (facts === undefined) return note('index', 'not checked, because the schema is not up to date');
  if (facts === 'complete') return good('index', 'complete');
  return note(
    'index',
    `being built by the service: ${count(facts.done)} of ${count(facts.total)} users; searches and directories miss the others`,
  );
}
