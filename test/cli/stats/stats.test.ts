import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['stats', ...args], asFirstClient(service));

test('prints a row per day with a bar, or JSON', async () => {
  await service.givenUser();
  const today = new Date().toISOString().slice(0, 10);
  const [table, json, misused] = await Promise.all([
    run(),
    run('--from', today, '--json'),
    run('--from', 'monday'),
  ]);
  const rows = table.stdout.trimEnd().split('\n');
  expect(rows[0]).toMatch(/^ +DAY +ACTIVE +INACTIVE +CREATED +UPDATED +DEACTIVATED +REMOVED +CHANGES$/);
  expect(rows).toHaveLength(31);
  expect(rows.at(-1)).toMatch(new RegExp(`^${today} .* █{20}$`));
  expect(JSON.parse(json.stdout).days).toMatchObject([{ day: today }]);
  expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('Must be a day') });
});
