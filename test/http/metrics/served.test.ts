import { beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/postgres-server.js';
import { anItem, aUser, newId, TestService, useService } from '../../support/service.js';

const token = 'a-token-only-for-this-test';

describe('without settings for it', () => {
  const service = useService();

  test('there are no metrics', async () => {
    expect((await service.get('/metrics')).status).toBe(404);
    expect(service.context.metrics).toBeUndefined();
  });
});

describe('with a token and an address', () => {
  let service: TestService;
  let address = '';
  const canary = { name: 'Canary Metric', employeeID: newId('CanaryMetric'), path: 'canary-metric-path' };

  beforeAll(async () => {
    address = `127.0.0.1:${await freePort()}`;
    service = await TestService.start({
      ROLLCALL_METRICS_TOKEN: token,
      ROLLCALL_METRICS_ADDRESS: address,
    });
    const user = await service.givenUser({ name: canary.name, employeeID: canary.employeeID });
    await service.updateBulk([anItem(user, { phone: '+49 30 1' }), anItem(aUser())]);
    await service.signIn(canary.name, 'wrong-password');
    await service.get(`/service/users/${user.serial}`);
    await service.get(`/${canary.path}`, { token: null });
    await service.get(`/service/${canary.path}/2?${canary.name}`);
    return () => service.stop();
  });

  const read = async () =>
    (await service.get('/metrics', { token: null, headers: { authorization: `Bearer ${token}` } })).text;

  test('the main port serves them to whoever knows the token', async () => {
    const reply = await service.get('/metrics', {
      token: null,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const wrong of [null, service.token, 'nonsense']) {
      const refused = await service.get('/metrics', { token: wrong });
      expect(refused.status).toBe(401);
      expect(refused.json.errorCode).toBe(10201);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('the address serves them without one, and nothing else', async () => {
    const reply = await fetch(`http://${address}/metrics`);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('rollcall_build_info');
    expect((await fetch(`http://${address}/service/users`)).status).toBe(404);
    expect((await fetch(`http://${address}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  test('requests are counted by route pattern, and unknown paths together', async () => {
    const text = await read();
    const count = (labels: string) =>
      Number(new RegExp(`^rollcall_http_requests_total\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(count('route="/service/users/:serial",method="GET",status="200"')).toBe(1);
    expect(count('route="/service/users",method="POST",status="201"')).toBe(1);
    expect(count('route="unknown",method="GET",status="404"')).toBe(2);
    expect(text).toMatch(
      /^rollcall_http_request_seconds_count\{route="\/service\/users",method="POST"\} 1$/m,
    );
  });

  test('bulk calls, statements, waits and sign-ins are measured', async () => {
    const text = await read();
    expect(text).toContain('rollcall_bulk_items_total{operation="update-bulk",outcome="succeeded"} 1');
    expect(text).toContain('rollcall_bulk_items_total{operation="update-bulk",outcome="failed"} 1');
    for (const phase of ['parse', 'plan', 'chunk', 'report'])
      expect(text).toMatch(new RegExp(`^rollcall_bulk_phase_seconds_count\\{phase="${phase}"\\} [1-9]`, 'm'));
    expect(text).toContain('rollcall_sign_ins_total{outcome="failed"} 1');
    expect(text).toMatch(/^rollcall_database_statement_seconds_count\{statement="advance-call"\} 1$/m);
    expect(text).toMatch(/^rollcall_database_statement_seconds_count\{statement="COMMIT"\} [1-9]/m);
    expect(text).toMatch(/^rollcall_database_connection_wait_seconds_count [1-9]/m);
    expect(text).toMatch(/^rollcall_password_hash_wait_seconds_count [1-9]/m);
    expect(text).toMatch(/^rollcall_database_connections\{state="(?:idle|used)"\} [1-9]/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  test('queues and the size of the database are read from it', async () => {
    const text = await read();
    expect(text).toContain('rollcall_database_up 1');
    expect(text).toMatch(/^rollcall_deliveries\{state="waiting"\} \d+$/m);
    expect(text).toMatch(/^rollcall_webhooks\{state="active"\} 0$/m);
    expect(text).toMatch(/^rollcall_planned_calls\{state="planned"\} 0$/m);
    expect(text).toMatch(/^rollcall_changes_last [1-9]/m);
    expect(Number(/^rollcall_database_bytes (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(1_000_000);
  });

  test('nothing in them is about a user', async () => {
    const text = await read();
    for (const value of Object.values(canary)) expect(text.toLowerCase()).not.toContain(value.toLowerCase());
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  });
});
