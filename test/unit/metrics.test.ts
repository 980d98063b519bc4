import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ErrorName } from '../../src/contract/errors.js';
import type { SignInReply } from '../../src/domain/access/sign-in.js';
import { HashingBusy } from '../../src/domain/passwords/password.js';
import { countedSignIn } from '../../src/http/routes/access/open-session.js';
import { tokenCheck } from '../../src/http/routes/running/metrics.js';
import { statementName } from '../../src/storage/observed-pool.js';
import { signInOutcomes } from '../../src/telemetry/metrics.js';
import { serveMetrics } from '../../src/telemetry/metrics-server.js';
import {
  processReporter,
  prometheusText,
  sharedGauges,
  workersReport,
} from '../../src/telemetry/process-report.js';
import { LabelSet, openMetrics } from '../../src/telemetry/prometheus.js';
import { valueIn } from '../support/metrics.js';
import { someFigures } from '../support/shared-figures.js';

describe('metrics', () => {
  test('of several processes are added up, and what all nodes share is reported once', async () => {
    const reporters = [1, 2].map((items) => {
      const { metrics, registry } = openMetrics();
      metrics.bulkItems('update-bulk', { succeeded: items, failed: 10 });
      metrics.request({ route: '/service/users', method: 'GET', status: 200 }, 0.003);
      return processReporter(registry, async () => someFigures);
    });
    const reports = await Promise.all(
      reporters.map((reporter, index) => reporter.report({ withShared: index === 0 })),
    );
    // As they arrive at the supervisor.
    const text = await prometheusText([...JSON.parse(JSON.stringify(reports)), await workersReport(2)]);
    expect(text).toContain('rollcall_bulk_items_total{operation="update-bulk",outcome="succeeded"} 3');
    expect(text).toContain('rollcall_bulk_items_total{operation="update-bulk",outcome="failed"} 20');
    expect(text).toContain(
      'rollcall_http_request_seconds_bucket{le="0.005",route="/service/users",method="GET"} 2',
    );
    expect(text).toContain('rollcall_deliveries{state="parked"} 7');
    expect(text).toContain('rollcall_workers_ready 2');
    expect(text).toMatch(/^rollcall_build_info\{version="[^"]+"\} 1$/m);
  });

  test('without an answer of the database say so, and report no old numbers', async () => {
    const text = await sharedGauges(undefined).metrics();
    expect(text).toContain('rollcall_database_up 0');
    expect(text).not.toContain('rollcall_deliveries');
  });

  test('have a limited number of labels', () => {
    const labels = new LabelSet(2);
    expect(['a', 'b', 'c', 'a', 'd'].map((value) => labels.labelOf(value))).toEqual([
      ...['a', 'b', 'other', 'a', 'other'],
    ]);
  });

  test.each([
    [{ name: 'read-users', text: 'SELECT 1' }, 'read-users'],
    [{ name: 'update-users-0134', text: 'UPDATE users' }, 'update-users'],
    [{ text: `SELECT 'ada@example.com'`, values: ['ada'] }, 'SELECT'],
    ["  insert INTO users VALUES ('ada')", 'INSERT'],
    ['ada', 'other'],
    [undefined, 'other'],
  ])('know the statement %j as %s', (statement, name) => {
    expect(statementName(statement)).toBe(name);
  });

  test('count how each attempt to sign in ended, and an outage not at all', async () => {
    const { metrics, registry } = openMetrics();
    const ends = async (end: () => never | SignInReply) => {
      await countedSignIn(metrics, async () => end()).catch(() => {});
      const text = await registry.metrics();
      return Object.fromEntries(
        signInOutcomes.map((outcome) => [
          outcome,
          valueIn(text, `rollcall_sign_ins_total{outcome="${outcome}"}`),
        ]),
      );
    };
    const failed = (error: ErrorName) => () => ({ ok: false, failure: { error } }) as SignInReply;
    const throws = (error: Error) => () => {
      throw error;
    };
    await ends(() => ({ ok: true }) as SignInReply);
    await ends(failed('ACCESS_SIGN_IN_FAILED'));
    await ends(failed('ACCESS_SIGN_IN_FAILED'));
    await ends(failed('ACCESS_SIGN_IN_DELAYED'));
    await ends(failed('ACCESS_PASSWORD_EXPIRED'));
    await ends(throws(new HashingBusy()));
    expect(await ends(throws(Object.assign(new Error(), { code: 'ECONNRESET' })))).toEqual({
      ...{ succeeded: 1, failed: 2, expired: 1, delayed: 1, busy: 1 },
    });
  });

  test('at their own address are not kept from others by those who say nothing', async () => {
    const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, async () => 'x 1\n');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const silent = connect(port, '127.0.0.1');
    const [socket] = await accepted;
    expect(socket.timeout).toBe(15_000);
    socket.emit('timeout'); // 15 seconds later
    await once(silent.resume(), 'close');
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toBe('x 1\n');
  });

  test('on the main port require exactly the token', () => {
    const isRight = tokenCheck('correct-horse-battery');
    expect(isRight('Bearer correct-horse-battery')).toBe(true);
    expect(isRight('bearer  correct-horse-battery ')).toBe(true);
    for (const wrong of [undefined, '', 'Bearer', 'Bearer correct-horse-batter', 'correct-horse-battery'])
      expect(isRight(wrong), wrong).toBe(false);
  });
});
