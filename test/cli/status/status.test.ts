import { expect, test } from 'vitest';
import { version } from '../../../src/contract/version.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
const run = (...args: string[]) => rollcall(['status', ...args], asFirstClient(service));

test('prints nodes, queues and what needs attention, or JSON', async () => {
  await service.givenUser();
  await service.database.pool.query(`UPDATE deliveries SET state = 'parked'`);
  await expect.poll(async () => (await service.get('/service/status')).json.data.nodes).toHaveLength(1);
  const [text, json] = await Promise.all([run(), run('--json')]);
  const lines = text.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^NODE +STATE +VERSION +PROCESSES +STARTED +LAST SEEN$/);
  expect(lines[1]).toMatch(new RegExp(`running +${version.replaceAll('.', '\\.')} +1 `));
  expect(text.stdout).toMatch(/^database +PostgreSQL \d+\.\d+, [\d.]+ MB, schema \d{4}_\w+$/m);
  expect(text.stdout).toMatch(/^messages +1 failed$/m);
  expect(text.stdout).toMatch(/^last backup +no backup yet$/m);
  expect(lines.at(-1)).toBe('  1 message failed: rollcall deliveries list --state parked');
  expect(JSON.parse(json.stdout)).toMatchObject({
    version,
    attention: [{ kind: 'messagesParked', count: 1 }],
  });
});
