import { describe, expect, test } from 'vitest';
import { variablesOf } from '../../../src/config/kinds.js';
import { operatorSettings, settings } from '../../../src/config/settings.js';
import { readConfig } from '../../../src/config.js';
import { limitDefaults } from '../../../src/contract/limits.js';
import {
  amountOf,
  caddy,
  compose,
  container,
  containerEnv,
  deployed,
  directive,
  dockerfile,
  kustomization,
  manifest,
  nginx,
  pod,
  read,
  unit,
} from '../../support/deploy-files.js';

const { rollcall } = compose.services;

describe('deploy/', () => {
  test.each(deployed)('%s names only settings that exist', (file) => {
    // Kubernetes would set ROLLCALL_PORT, as a comment explains.
    const known = [...operatorSettings.flatMap(variablesOf), 'ROLLCALL_PORT'];
    const named = [...read(file).matchAll(/\b(?:ROLLCALL|SMTP|SMS|DATABASE)_[A-Z\d_]+\b/g)];
    expect(named.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  test.each([
    ['compose.yaml', rollcall.environment as Record<string, string>],
    ['deployment.yaml', containerEnv],
  ])('the settings in %s are valid', (_file, environment) => {
    const direct = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
    const secret = environment.ROLLCALL_BOOTSTRAP_CLIENT_ID === undefined ? undefined : 'a-secret-in-a-file';
    const values = { ...Object.fromEntries(direct), ROLLCALL_BOOTSTRAP_CLIENT_SECRET: secret };
    expect(() => readConfig(values)).not.toThrow();
  });

  test('has the version of the service', () => {
    const named = [...dockerfile.matchAll(/(?:rollcall:|image\.version=")(\d[\w.-]*)/g)].map(
      ([, each]) => each,
    );
    expect(named).toEqual([manifest.version, manifest.version]);
    expect(rollcall.image).toBe(`rollcall:${manifest.version}`);
    const documented = [...read('docs/deployment.md').matchAll(/rollcall:(\d[\w.-]*)/g)].map(
      ([, each]) => each,
    );
    expect(new Set(documented)).toEqual(new Set([manifest.version]));
    expect(kustomization.images).toEqual([
      expect.objectContaining({ name: container.image, newTag: manifest.version }),
    ]);
  });

  test('has the port of the service', () => {
    const port = settings.port.fallback;
    expect(dockerfile).toContain(` PORT=${port} `);
    expect(directive(dockerfile, 'EXPOSE')).toBe(`${port}`);
    expect(rollcall.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
    expect(directive(nginx, 'server')).toBe(`127.0.0.1:${port}`);
    expect(directive(caddy, 'reverse_proxy')).toBe(`127.0.0.1:${port} {`);
  });

  test('uses paths of the API for probes and event streams', () => {
    const paths = Object.keys(JSON.parse(read('openapi.json')).paths);
    const { livenessProbe, readinessProbe, startupProbe } = container;
    const probes = [livenessProbe, readinessProbe, startupProbe].map(({ httpGet }) => httpGet.path);
    expect(probes).toEqual(['/healthz', '/readyz', '/healthz']);
    expect(directive(caddy, 'health_uri')).toBe('/readyz');
    expect(dockerfile).toContain('/healthz`');
    expect(rollcall.healthcheck.test.at(-1)).toContain('/readyz');
    expect(paths).toEqual(expect.arrayContaining([...probes, /location = (\S+)/.exec(nginx)?.[1]]));
  });

  test('starts the service as npm start does', () => {
    const { start } = manifest.scripts;
    const [entry, serve] = [...dockerfile.matchAll(/^(?:ENTRYPOINT|CMD) (.+)$/gm)].map(([, each = '']) =>
      JSON.parse(each),
    );
    expect([...entry, ...serve].join(' ')).toBe(start.replace('dist/cli.js', '/app/dist/cli.js'));
    const installed = '/opt/rollcall/node_modules/rollcall/dist/cli.js';
    expect(directive(unit, 'ExecStart')).toBe(`/usr/bin/${start.replace('dist/cli.js', installed)}`);
  });

  test('leaves the service time to finish running requests', () => {
    const { shutdownTimeoutMs } = limitDefaults;
    expect(amountOf(rollcall.stop_grace_period)).toBeGreaterThan(shutdownTimeoutMs);
    expect(amountOf(`${directive(unit, 'TimeoutStopSec')}s`)).toBeGreaterThan(shutdownTimeoutMs);
    const pause = /, ([\d_]+)\)$/.exec(container.lifecycle.preStop.exec.command.at(-1))?.[1];
    const pauseMs = Number(pause?.replaceAll('_', ''));
    expect(pauseMs).toBeGreaterThan(0);
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(pauseMs + shutdownTimeoutMs);
  });
});
