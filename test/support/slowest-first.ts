import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A worker keeps its service while it runs files of one project, so projects stay together. Small files come last. */
const projects = ['release', 'release-embedded', 'system', 'embedded', 'postgres', 'unit'];

/**
 * Each takes many seconds. If started last, it would run alone at the end. Files that wait alternate with files of the
 * browser, which use a core.
 */
const slowest = [
  'reliability/embedded.test.ts',
  'browser/directories.test.ts',
  'reliability/deliveries.test.ts',
  'browser/activity.test.ts',
  'reliability/process.test.ts',
  'browser/users.test.ts',
  'reliability/feeds.test.ts',
  'browser/user.test.ts',
  'reliability/workers.test.ts',
  'browser/accessibility.test.ts',
  'reliability/webhooks.test.ts',
  'browser/home.test.ts',
  'reliability/moves.test.ts',
  'browser/session.test.ts',
  'reliability/outage.test.ts',
  'browser/users-selection.test.ts',
  'reliability/secret-keys.test.ts',
  'browser/planned-calls.test.ts',
  'reliability/event-source.test.ts',
  'browser/import-run.test.ts',
  'reliability/indexing.test.ts',
  'browser/import.test.ts',
  'reliability/event-order.test.ts',
  'browser/import-workbook.test.ts',
  'reliability/batched-creates.test.ts',
  'browser/create.test.ts',
  'cli/service/backup.test.ts',
  'storage/backups/restored.test.ts',
  'storage/indexed-reads.test.ts',
  'cli/service/doctor.test.ts',
  'cli/service/migrate.test.ts',
  'journeys/users.test.ts',
  'unit/sources/sftp-source.test.ts',
  'unit/mail.test.ts',
];

/** Keeps both cores busy to the end: a clean clone has no record of earlier runs to order files by. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = slowest.findIndex((file) => moduleId.endsWith(`test/${file}`));
      return projects.indexOf(project.name) * 1_000 + (place === -1 ? slowest.length : place);
    };
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
