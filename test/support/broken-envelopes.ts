import { expect } from 'vitest';
import type { ErrorName } from '../../src/contract/errors.js';

export function nestedArrays(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

const failure = (error: ErrorName, part: string) => ({ error, detail: expect.stringContaining(part) });
const notJson = (part: string) => failure('REQUEST_BODY_NOT_JSON', part);
const tooDeep = failure('REQUEST_BODY_TOO_DEEP', '32 levels');
const invalid = (problem: string, field?: string) => ({
  error: 'REQUEST_BODY_INVALID',
  detail: `The body must be {"items": [ … ]} and nothing else: ${problem}.`,
  ...(field !== undefined && { data: { field } }),
});

/** Bodies of bulk calls that every operation rejects as a whole. */
export const brokenEnvelopes: readonly (readonly [why: string, body: string | Buffer, failure: object])[] = [
  ['is not JSON', '{"items": [}', notJson('line 1, column 12')],
  ['continues after the JSON', '{"items": []} {}', notJson('not valid JSON')],
  ['ends within the JSON', '{"items": [{"employeeID": "E1"', notJson('not valid JSON')],
  [
    'is not UTF-8',
    Buffer.from([...Buffer.from('{"items": ["'), 0xff, ...Buffer.from('"]}')]),
    notJson('UTF-8'),
  ],
  ['is an array', '[]', invalid('the body is not an object')],
  ['is null', 'null', invalid('the body is not an object')],
  ['is a string', '"items"', invalid('the body is not an object')],
  ['is a number', '7', invalid('the body is not an object')],
  ['has no items', '{}', invalid('"items" is missing', 'items')],
  ['has null for items', '{"items": null}', invalid('"items" is not an array', 'items')],
  ['has an object for items', '{"items": {"0": {}}}', invalid('"items" is not an array', 'items')],
  ['has a string for items', '{"items": "[]"}', invalid('"items" is not an array', 'items')],
  ['has an unknown field beside items', '{"items": [], "x": true}', invalid('"x" is unknown', 'x')],
  ['has the items under another case', '{"Items": []}', invalid('"Items" is unknown', 'Items')],
  [
    'has __proto__ beside items',
    '{"items": [], "__proto__": {}}',
    invalid('"__proto__" is unknown', '__proto__'),
  ],
  [
    'has the items within __proto__',
    '{"__proto__": {"items": []}}',
    invalid('"__proto__" is unknown', '__proto__'),
  ],
  [
    'has constructor beside items',
    '{"items": [], "constructor": 1}',
    invalid('"constructor" is unknown', 'constructor'),
  ],
  ['gives items twice', '{"items": [], "items": []}', invalid('"items" appears twice', 'items')],
  [
    'gives items twice, once escaped',
    '{"items": [], "item\\u0073": []}',
    invalid('"items" appears twice', 'items'),
  ],
  ['is nested 33 levels deep', `{"items": [${nestedArrays(31)}]}`, tooDeep],
  ['is nested 200,000 levels deep', nestedArrays(200_000), tooDeep],
  ['opens 200,000 levels and closes none', '{"items":'.repeat(200_000), tooDeep],
];
