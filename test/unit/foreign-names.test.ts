import { expect, test } from 'vitest';
import { meantBy, withoutForeign } from '../../src/http/foreign-names.js';

const known = ['dryRun', 'mode', 'asOf', 'effectiveAt', 'username', 'organizationSerial'];

test.each([
  ['dryRun', 'dryRun'],
  ['dryrun', 'dryRun'],
  ['dry_run', 'dryRun'],
  ['DRY-RUN', 'dryRun'],
  ['dyrRun', 'dryRun'],
  ['dryRuns', 'dryRun'],
  ['Mode', 'mode'],
  ['as_of', 'asOf'],
  ['effectivAt', 'effectiveAt'],
  ['userName', 'username'],
  ['organisation_serials', 'organizationSerial'],
  ['dryRun[]', 'dryRun'],
  ['dryRun.0', 'dryRun'],
  ['mode[x]', 'mode'],
  ['options[dryRun]', 'dryRun'],
  ['amp;dryRun', 'dryRun'],
  ['dryRun=true', 'dryRun'],
  ['isDryRun', 'dryRun'],
  ['dryRunMode', 'dryRun'],
  ['rollcall-dry-run', 'dryRun'],
  ['x_effective_at', 'effectiveAt'],
])('%s is meant to be %s', (name, meant) => {
  expect(meantBy(name, known)).toBe(meant);
});

test.each([
  'api-version',
  'utm_mode',
  'code',
  'model',
  'run',
  'surname',
  'nickname',
  'effective',
  '',
  '__proto__',
])('%j is foreign', (name) => {
  expect(meantBy(name, known)).toBeUndefined();
});

test('foreign names are left out, unless there are more than anybody adds', () => {
  const given = JSON.parse('{"mode":1,"__proto__":2,"x":3,"dry_run":4}');
  expect(withoutForeign(given, known)).toEqual({ mode: 1, dry_run: 4 });
  const within = {
    options: { dryRun: true },
    a: 'b;dryRun=true',
    department: { name: 'dryRun' },
    b: 'x;y=dryRun',
  };
  expect(Object.keys(withoutForeign<unknown>(within, [...known, 'name']))).toEqual(['options', 'a']);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x${at}`, at]));
  expect(withoutForeign(many, known)).toEqual(many);
});
