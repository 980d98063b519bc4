import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { sharedGauges, workersReport } from '../../src/telemetry/process-report.js';
import { observeProcess, openMetrics } from '../../src/telemetry/prometheus.js';
import { someFigures } from '../support/shared-figures.js';

const folder = fileURLToPath(new URL('../../deploy/', import.meta.url));
const documents = ['grafana/rollcall.json', 'prometheus/alerts.yaml', 'prometheus/alerts.test.yaml'];

async function knownNames(): Promise<Set<string>> {
  const { registry } = openMetrics();
  observeProcess(registry, () => {
    throw new Error('only the names are needed');
  });
  const namesIn = (each: Registry) => each.getMetricsAsArray().map(({ name, type }) => ({ name, type }));
  const workers = (await workersReport(1)) as readonly { name: string; type: string }[];
  const all = [...namesIn(registry), ...namesIn(sharedGauges(someFigures)), ...workers];
  return new Set(
    all.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
    ),
  );
}

function namesIn(document: string): string[] {
  const text = readFileSync(`${folder}${document}`, 'utf8');
  return [...new Set(text.match(/\b(?:rollcall|nodejs|process)_[a-z0-9_]+/g))];
}

describe.each(documents)('%s', (document) => {
  test('names only metrics that exist', async () => {
    const known = await knownNames();
    const named = namesIn(document);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named.length, 'names are found at all').toBeGreaterThan(8);
  });
});

test('every alert has a test', () => {
  const alerts = readFileSync(`${folder}prometheus/alerts.yaml`, 'utf8').matchAll(/alert: (\w+)/g);
  const tests = readFileSync(`${folder}prometheus/alerts.test.yaml`, 'utf8');
  for (const [, alert] of alerts) expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts`));
});
