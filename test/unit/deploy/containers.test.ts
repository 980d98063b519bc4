import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.js';
import {
  compose,
  container,
  containerEnv,
  directive,
  dockerfile,
  manifest,
  pod,
  read,
  resource,
  root,
} from '../../support/deploy-files.js';

const { rollcall, database } = compose.services;

describe('the image', () => {
  test('is built with a version of Node.js that the service supports, the one in .nvmrc', () => {
    const major = Number(/NODE_IMAGE=\S+?:(\d+)/.exec(dockerfile)?.[1]);
    expect(major).toBe(Number.parseInt(read('.nvmrc'), 10));
    expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(manifest.engines.node)?.[0]));
    const images = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, image]) => image);
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/:\S+@sha256:[0-9a-f]{64}$/);
  });

  test('is built from every package of the repository', () => {
    const copied = [...dockerfile.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, folder]) => folder);
    expect(copied).toEqual(manifest.workspaces);
  });

  test('contains what npm pack does: .dockerignore excludes nothing of it', () => {
    const built = /(?:^|\/)dist$/;
    const needed = [
      ...manifest.files.filter((file) => !built.test(file) && file !== 'npm-shrinkwrap.json'),
      ...['package.json', 'package-lock.json', 'src', 'scripts', 'tsconfig.json', 'tsconfig.build.json'],
      ...manifest.workspaces,
    ];
    for (const file of needed) expect(existsSync(join(root, file)), file).toBe(true);
    const lines = read('.dockerignore').split('\n');
    const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(needed.filter((file) => patterns.some((pattern) => isExcluded(file, pattern)))).toEqual([]);
    for (const file of [
      'client/node_modules',
      'data',
      'deploy/secrets',
      'rollcall.backup',
      'a.backup.partial',
    ])
      expect(
        patterns.some((pattern) => isExcluded(file, pattern)),
        file,
      ).toBe(true);
  });

  test('runs as an ordinary user, who owns only the state', () => {
    expect(directive(dockerfile, 'USER')).toBe('65532:65532');
    expect(dockerfile).toContain('--chown=65532:65532 /state /var/lib/rollcall');
    expect(dockerfile).toMatch(/ROLLCALL_DATA_DIR=\/var\/lib\/rollcall\/data$/m);
    expect(rollcall.volumes).toEqual(['rollcall:/var/lib/rollcall']);
  });
});

/** As Docker matches patterns: `**` stands for any folders, `*` for part of a name. */
function isExcluded(file: string, pattern: string): boolean {
  const source = pattern
    .replaceAll('.', '\\.')
    .replaceAll(/(?<!\*)\*(?!\*)/g, '[^/]*')
    .replaceAll('**/', '(?:.*/)?');
  return new RegExp(`^${source}(?:/|$)`).test(file);
}

describe('compose.yaml', () => {
  test('waits for what is healthy, and mounts only secrets that exist', () => {
    for (const [name, { condition }] of Object.entries<{ condition: string }>(rollcall.depends_on)) {
      expect(condition).toBe('service_healthy');
      expect(compose.services[name].healthcheck.test[0], name).toBe('CMD');
    }
    const mounted = [...rollcall.secrets, ...database.secrets];
    expect(mounted.sort()).toEqual(Object.keys(compose.secrets).sort());
    expect(rollcall).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  test('uses a PostgreSQL that is supported', () => {
    expect(['15', '16', '17', '18']).toContain(/:(\d+)/.exec(database.image)?.[1]);
  });
});

describe('the manifests', () => {
  test('select the pods of the deployment', () => {
    const { labels } = resource('Deployment').spec.template.metadata;
    expect(resource('Deployment').spec.selector.matchLabels).toEqual(labels);
    expect(resource('Service').spec.selector).toEqual(labels);
    expect(resource('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(resource('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    expect(resource('Service').spec.ports[0].targetPort).toBe(container.ports[0].name);
  });

  test('replace pods without a gap', () => {
    expect(resource('Deployment').spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });

  test('let only the proxy connect whose forwarded addresses are trusted', () => {
    expect(containerEnv.ROLLCALL_TRUSTED_PROXIES).toBeDefined();
    const controller = { 'kubernetes.io/metadata.name': 'ingress-nginx' };
    expect(resource('NetworkPolicy').spec.ingress).toEqual([
      { from: [{ namespaceSelector: { matchLabels: controller } }], ports: [{ port: 'http' }] },
    ]);
  });

  test('keep Kubernetes from setting variables that Rollcall would refuse', () => {
    expect(pod.enableServiceLinks).toBe(false);
    const links = { ROLLCALL_PORT: 'tcp://10.0.0.1:80' };
    expect(() => readConfig(links)).toThrow('ROLLCALL_PORT is not a Rollcall setting');
  });

  test('restrict the container, and mount what its settings name', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    const volumes: { name: string }[] = pod.volumes;
    const mounts: { name: string; mountPath: string }[] = container.volumeMounts;
    expect(mounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual(['/run/secrets/rollcall', '/var/lib/rollcall']);
    const secretFiles = Object.entries(containerEnv).filter(([name]) => name.endsWith('_FILE'));
    for (const [name, path] of secretFiles) expect(path, name).toMatch(/^\/run\/secrets\/rollcall\/[a-z-]+$/);
  });
});
