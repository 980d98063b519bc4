import { type AppliedMigration, migrationNames } from '../../../storage/migrate.js';
import { counted } from '../../terminal/numbers.js';
import { schemaState } from '../schema-state.js';
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
