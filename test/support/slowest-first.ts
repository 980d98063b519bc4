import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A worker keeps its service while it runs files of one project, so projects stay together. Small files come last. */
const projects = ['release', 'reliability', 'browser', 'embedded', 'postgres', 'unit'];

/** Each takes half a minute or more, most of it spent waiting. If started last, it would run alone at the end. */
const slowest = [
  'release/worst-cases.test.ts',
  'release/examples.test.ts',
  'reliability/embedded.test.ts',
  'reliability/deliveries.test.ts',
  'reliability/process.test.ts',
  'reliability/embedded-permissions.test.ts',
  'reliability/webhooks.test.ts',
  'reliability/workers.test.ts',
  'browser/directories.test.ts',
  'browser/accessibility.test.ts',
  'browser/activity.test.ts',
  'browser/users.test.ts',
  'browser/user.test.ts',
  'browser/session.test.ts',
  'cli/sync/random-renames.test.ts',
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
