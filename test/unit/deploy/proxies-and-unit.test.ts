import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../../src/cli/problem.js';
import { limitDefaults } from '../../../src/contract/limits.js';
import { amountOf, caddy, directive, nginx, read, resource, unit } from '../../support/deploy-files.js';

const { bulkBodyMaxBytes, keepAliveTimeoutMs } = limitDefaults;

describe('the proxies', () => {
  test.each([
    ['nginx', directive(nginx, 'client_max_body_size')],
    ['Caddy', directive(caddy, 'max_size')],
    [
      'ingress-nginx',
      resource('Ingress').metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'],
    ],
  ])('%s accepts the largest body, so that Rollcall itself answers larger ones', (_name, size) => {
    expect(amountOf(size)).toBeGreaterThan(bulkBodyMaxBytes);
  });

  test('close idle connections before Rollcall does', () => {
    expect(amountOf(directive(nginx, 'keepalive_timeout'))).toBeLessThan(keepAliveTimeoutMs);
    expect(amountOf(directive(caddy, 'keepalive'))).toBeLessThan(keepAliveTimeoutMs);
  });
});

describe('the unit', () => {
  test('keeps the data in its state directory', () => {
    expect(directive(unit, 'StateDirectory')).toBe('rollcall');
    expect(unit).toContain('ROLLCALL_DATA_DIR=/var/lib/rollcall/data\n');
  });

  test('does not restart a service that cannot start', () => {
    expect(directive(unit, 'RestartPreventExitStatus')).toBe(`${exitCodes.wrongUse} ${exitCodes.refused}`);
  });

  test('for PostgreSQL, passes each credential on as a setting', () => {
    const addition = read('deploy/systemd/rollcall-postgresql.conf');
    const credentials = [...addition.matchAll(/^LoadCredential=([^:]+):/gm)].map(([, name]) => `%d/${name}`);
    expect([...addition.matchAll(/_FILE=(\S+)/g)].map(([, path]) => path)).toEqual(credentials);
  });
});
