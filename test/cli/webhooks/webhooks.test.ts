import { expect, test } from 'vitest';
import { saying, useFront } from '../../http/client/front.js';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { useService } from '../../support/service.js';
import { aUrl, givenWebhook, sendsNoWebhooks } from '../../support/webhooks.js';

const service = useService(sendsNoWebhooks);
const front = useFront(service);
const run = (...args: string[]) => rollcall(['webhooks', ...args], asFirstClient(service));

test('creates, updates, rotates and replays a webhook, and shows its secrets once', async () => {
  const settings = [
    '--events',
    'user.created,user.deactivated',
    '--description',
    'Door badges',
    '--batch-max',
    '7',
  ];
  const created = await run('create', aUrl, ...settings, '--json');
  const { id, secret, ...webhook } = JSON.parse(created.stdout);
  expect(webhook).toMatchObject({
    url: aUrl,
    eventTypes: ['user.created', 'user.deactivated'],
    description: 'Door badges',
    batchMax: 7,
  });
  expect(created.stderr).toContain('The secret will not be shown again');

  const changes = ['--events', 'user.renamed', '--active', 'false', '--description', ''];
  const updated = await run('update', id, ...changes, '--json');
  expect(JSON.parse(updated.stdout)).toMatchObject({
    eventTypes: ['user.renamed'],
    isActive: false,
    description: null,
    batchMax: 7,
  });
  await service.givenUser();
  const [rotated, replayed] = await Promise.all([
    run('rotate', id),
    run('replay', id, '--from', '1', '--json'),
  ]);
  expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^secret +whsec_/m) });
  expect(JSON.parse(replayed.stdout)).toMatchObject({ id, deliveredUpTo: 0 });

  const [shown, list, refused, unknown, nothing] = await Promise.all([
    run('get', id),
    run('list', '--all'),
    run('create', 'http://localhost/hooks'),
    run('create', aUrl, '--events', 'user.moved'),
    run('update', id),
  ]);
  expect(shown.stdout).toMatch(/^status +disabled$/m);
  expect(shown.stdout).not.toContain(secret);
  expect(list.stdout).toMatch(new RegExp(`^${id} +${aUrl} +disabled +0$`, 'm'));
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('must start with https://') });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('user.created, user.erased') });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing to update') });
});

test('delete asks for confirmation in a terminal and requires --yes in a script', async () => {
  const [mine, other] = await Promise.all([givenWebhook(service), givenWebhook(service)]);
  const script = await run('delete', mine.id);
  expect(script).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });

  const environment = asFirstClient(service);
  const hesitant = inTerminal(['webhooks', 'delete', mine.id], environment);
  await hesitant.until(`Delete the webhook to ${aUrl}?`);
  hesitant.type('\r');
  expect(await hesitant.ended).toBe(4);
  expect(hesitant.screen()).toContain('Aborted. Nothing was changed.');
  expect((await service.get(mine.path)).status).toBe(200);

  const decided = inTerminal(['webhooks', 'delete', mine.id], environment);
  await decided.until('[y/N]');
  decided.type('y\r');
  expect(await decided.ended).toBe(0);
  expect((await service.get(mine.path)).status).toBe(404);

  const sure = await run('delete', other.id, '--yes', '--json');
  expect(sure).toMatchObject({ code: 0, stdout: `${JSON.stringify({ id: other.id })}\n` });
  expect((await run('delete', other.id, '--yes')).code).toBe(4);
});

test('test says why an event was not delivered, and exits with 1', async () => {
  const { id, path } = await givenWebhook(service);
  const reply = (delivered: boolean, reason: string | null) =>
    saying(
      200,
      JSON.stringify({ status: true, data: { delivered, statusCode: null, reason, durationMs: 40 } }),
      { 'content-type': 'application/json' },
    );
  front.answer(`${path}/test`, reply(false, 'Connection refused.'), reply(true, null));
  const environment = { ...asFirstClient(service), ROLLCALL_URL: front.url };
  const test = () => rollcall(['webhooks', 'test', id], environment);
  expect(await test()).toEqual({
    code: 1,
    stdout: 'Delivered  no\nReason     Connection refused.\nTook       0.0 s\n',
    stderr: '',
  });
  expect((await test()).code).toBe(0);
});
