import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Levels 1 and 2 of OWASP ASVS 5.0.0. */
const requirementsInTheStandard = 253;

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('docs/security/asvs.md', root), 'utf8');

interface Row {
  readonly id: string;
  readonly status: string;
  readonly evidence: string;
}

const rows: Row[] = [
  ...text.matchAll(/^\| (V\d+\.\d+\.\d+) \| [12] \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm),
].map(([, id = '', status = '', evidence = '']) => ({ id, status, evidence }));

const notApplicable = [...text.matchAll(/^\| (V[\d., V]+) \| [^|]+ \|$/gm)].flatMap(([, ids = '']) =>
  ids.split(', '),
);

/** The paths in backticks that look like files or folders of the repository. */
function pathsIn(evidence: string): string[] {
  const quoted = [...evidence.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const topLevel = /^(?:src|test|docs|console|client|sheets|bench|assets|migrations|templates)(?:\/|$)/;
  return quoted.filter((code) => topLevel.test(code) || /^[\w.-]+\.(?:json|md)$/.test(code));
}

describe('ASVS table', () => {
  test('lists every requirement of levels 1 and 2 exactly once', () => {
    const ids = [...rows.map(({ id }) => id), ...notApplicable];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(requirementsInTheStandard);
  });

  test.each(rows)('$id: $status, and its evidence exists', ({ status, evidence }) => {
    expect(['met', 'operator', 'open']).toContain(status);
    const paths = pathsIn(evidence);
    if (status === 'met') expect(paths.length, 'a file that proves it').toBeGreaterThan(0);
    else expect(evidence.length, 'a reason').toBeGreaterThan(20);
    for (const path of paths) expect(existsSync(new URL(path, root)), path).toBe(true);
  });

  test('shows correct totals', () => {
    const count = (status: string) => rows.filter((row) => row.status === status).length;
    expect(text).toContain(`| ${count('met')} | ${count('operator')} | ${count('open')} |`);
  });
});
