import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { rollcall } from '../../support/command.js';
import { embeddedDirectory } from '../../support/embedded-directory.js';
import { startMailServer } from '../../support/mail-server.js';
import { OidcIssuer } from '../../support/oidc-issuer.js';
import { freePort } from '../../support/postgres-server.js';
import { useService } from '../../support/service.js';
import { startSmsGateway } from '../../support/sms-gateway.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const isPostgres = inject('engine') === 'postgres';
const secretKey = Buffer.alloc(32, 7).toString('base64');
const service = useService(isPostgres ? { ROLLCALL_SECRET_KEY: secretKey } : {});

interface Finding {
  readonly group: string;
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly mend?: string;
}

/** The variables that would start the service under test. */
function asTheService(): Record<string, string> {
  const { port } = new URL(service.url);
  const common = {
    HOST: '127.0.0.1',
    PORT: port,
    ROLLCALL_PUBLIC_URL: service.url,
    ROLLCALL_DATA_DIR: service.dataDir,
  };
  if (!isPostgres) return common;
  const url = new URL(inject('postgresUrl'));
  url.pathname = new URL(service.database.description).pathname;
  return { ...common, DATABASE_URL: url.href, ROLLCALL_SECRET_KEY: secretKey };
}

/** A server that is not Rollcall. */
async function anotherProgram(): Promise<number> {
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

const stateOf = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]));

describe('rollcall doctor', () => {
  test('passes all checks next to a running service, and sends nothing', async () => {
    const [mail, gateway, issuer] = await Promise.all([
      startMailServer(),
      startSmsGateway(),
      OidcIssuer.start(),
    ]);
    onTestFinished(() => issuer.halt());
    const environment = {
      ...asTheService(),
      SMTP_URL: mail.urlWithCredentials,
      ROLLCALL_MAIL_FROM: 'people@example.com',
      SMS_GATEWAY_URL: gateway.url.replace('//', '//me:hunter2@'),
      ROLLCALL_ISSUERS: JSON.stringify([{ issuer: issuer.url, audience: 'rollcall' }]),
    };
    const { code, stdout, stderr } = await rollcall(['doctor', '--json'], environment);
    const findings = JSON.parse(stdout) as Finding[];
    expect(code, stdout).toBe(0);
    expect(stderr).toBe('\nAll checks passed.\n');
    expect(findings.filter(({ state }) => state !== 'good' && state !== 'note')).toEqual([]);
    const database = isPostgres
      ? [
          'connection',
          'version',
          'encoding',
          'writes',
          'schema',
          'index',
          'connections',
          'stored secrets',
          'database',
        ]
      : ['embedded database'];
    const others = ['port', 'response', 'service', 'mail server', 'SMS gateway', 'templates', 'issuer'];
    for (const check of [...database, ...others, 'free space', 'permissions', 'secret key']) {
      expect(stateOf(findings), check).toMatchObject({ [check]: 'good' });
    }
    if (!isPostgres) {
      expect(findings.find(({ check }) => check === 'embedded database')?.found).toContain(
        `in use by process ${process.pid} on `,
      );
      expect(stateOf(findings), 'not checked').toMatchObject({ schema: 'note' });
    }
    expect(stdout).not.toMatch(/hunter2|secret@|:secret/);
    expect(mail.connectionsMade).toBeGreaterThan(0);
    expect({ mails: mail.messagesSeen, requests: gateway.requests }).toEqual({ mails: 0, requests: [] });
  });

  test('reports every problem with its remedy, and no secrets', async () => {
    const [mail, taken, closed] = await Promise.all([startMailServer(), anotherProgram(), freePort()]);
    mail.behaviour = 'refuse-credentials';
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, 'secret.key'), 'x');
    chmodSync(join(dataDir, 'secret.key'), 0o644);
    const { code, stdout, stderr } = await rollcall(
      ['doctor', '--data-dir', dataDir, '--port', String(taken), '--host', '127.0.0.1'],
      {
        ROLLCALL_PUBLIC_URL: `http://localhost:${taken}`,
        SMTP_URL: mail.urlWithCredentials.replace('secret', 'hunter2'),
        SMS_GATEWAY_URL: `http://me:hunter2@127.0.0.1:${closed}/send`,
        ROLLCALL_TEMPLATES_DIR: join(dataDir, 'nowhere'),
        ROLLCALL_ISSUERS: JSON.stringify([{ issuer: `http://127.0.0.1:${closed}`, audience: 'rollcall' }]),
        ...(isPostgres ? { DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${closed}/people` } : {}),
      },
    );
    expect(code, stdout).toBe(1);
    const wrong = [
      `!  permissions — other users have access to 1 file or directory, such as ${join(dataDir, 'secret.key')}\n     → The next start`,
      `✗  port — 127.0.0.1:${taken} is used by another program\n     → Stop it, or set PORT.`,
      `✗  response — another service responds at http://localhost:${taken} (status 200)\n     → `,
      '✗  mail server — 127.0.0.1:',
      ': The mail server refused the credentials (535).\n     → Check SMTP_URL',
      `✗  SMS gateway — cannot reach 127.0.0.1:${closed} (ECONNREFUSED)\n     → `,
      '✗  templates — The templates directory ',
      `✗  issuer — http://127.0.0.1:${closed}: it cannot be reached (ECONNREFUSED).\n     → `,
      ...(isPostgres
        ? [
            `✗  connection — Cannot use postgres://127.0.0.1:${closed}/people: connection refused (ECONNREFUSED)\n     → `,
            '!  secret key — not set',
          ]
        : ['–  embedded database — none in ']),
    ];
    for (const text of wrong) expect(stdout).toContain(text);
    expect(stderr).toBe(isPostgres ? '\n7 checks failed, 2 warnings.\n' : '\n6 checks failed, 1 warning.\n');
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stdout, 'no colours in a pipe').not.toContain('\u001b');
  });

  test('reports every invalid setting, exits with 2 and checks nothing else', async () => {
    const { code, stdout, stderr } = await rollcall(['doctor', '--json', '--port', 'x'], {
      LOG_LEVEL: 'loud',
      SMTP_URL: 'http://hunter2',
    });
    expect(code).toBe(2);
    const failed = (JSON.parse(stdout) as Finding[]).filter(({ state }) => state === 'failed');
    expect(failed.map(({ found }) => found)).toEqual([
      '--port must be a whole number from 0 to 65535; got "x".',
      'SMTP_URL must be a URL that begins with smtp:// or smtps://.',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; got "loud".',
    ]);
    expect(stderr).toBe('\nThe configuration is invalid. Nothing else was checked.\n');
    expect(stdout).not.toContain('hunter2');
  });

  test.runIf(!isPostgres)(
    'opens an embedded database that no service uses, and leaves it usable',
    async () => {
      const dataDir = await embeddedDirectory();
      const nobody = `http://localhost:${await freePort()}`;
      const args = ['doctor', '--json', '--data-dir', dataDir, '--port', '0', '--public-url', nobody];
      for (const looked of [await rollcall(args), await rollcall(args)]) {
        expect(looked.code, looked.stdout).toBe(0);
        expect(stateOf(JSON.parse(looked.stdout))).toMatchObject({
          'embedded database': 'good',
          schema: 'good',
        });
      }
    },
  );
});
