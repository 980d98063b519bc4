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

  test('has a known status for each requirement, and evidence that exists', () => {
    const problems = rows.flatMap(({ id, status, evidence }) => {
      const paths = pathsIn(evidence);
      const missing = paths.filter((path) => !existsSync(new URL(path, root)));
      return [
        ...(['met', 'operator', 'open'].includes(status) ? [] : [`${id}: "${status}" is no status`]),
        ...(status === 'met' && paths.length === 0 ? [`${id}: no file proves it`] : []),
        ...(status !== 'met' && evidence.length <= 20 ? [`${id}: no reason`] : []),
        ...missing.map((path) => `${id}: there is no ${path}`),
      ];
    });
    expect(problems).toEqual([]);
  });

  test('shows correct totals', () => {
    const count = (status: string) => rows.filter((row) => row.status === status).length;
    expect(text).toContain(`| ${count('met')} | ${count('operator')} | ${count('open')} |`);
  });
});
