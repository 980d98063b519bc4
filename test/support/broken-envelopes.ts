import { bodyInvalid, notJson, tooDeep } from './user-failures.js';

export function nestedArrays(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

/** Bodies of bulk calls that every operation rejects as a whole. */
export const brokenEnvelopes: readonly (readonly [
  why: string,
  rawBody: string | Buffer,
  error: ReturnType<typeof notJson>,
])[] = [
  ['is empty', '', notJson(/empty|missing/)],
  ['is not JSON', '{"items": [}', notJson('line 1, column 12')],
  ['continues after the JSON', '{"items": []} {}', notJson('not valid JSON')],
  ['ends within the JSON', '{"items": [{"employeeID": "E1"', notJson('not valid JSON')],
  [
    'is not UTF-8',
    Buffer.from([...Buffer.from('{"items": ["'), 0xff, ...Buffer.from('"]}')]),
    notJson('UTF-8'),
  ],
  ['is an array', '[]', bodyInvalid('not an object')],
  ['is null', 'null', bodyInvalid('not an object')],
  ['is a string', '"items"', bodyInvalid('not an object')],
  ['is a number', '7', bodyInvalid('not an object')],
  ['has no items', '{}', bodyInvalid('"items" is missing')],
  ['has null for items', '{"items": null}', bodyInvalid('"items" is not an array')],
  ['has an object for items', '{"items": {"0": {}}}', bodyInvalid('"items" is not an array')],
  ['has a string for items', '{"items": "[]"}', bodyInvalid('"items" is not an array')],
  ['has an unknown field beside items', '{"items": [], "dryRun": true}', bodyInvalid('"dryRun"')],
  ['has the items under another case', '{"Items": []}', bodyInvalid('"Items"')],
  ['has __proto__ beside items', '{"items": [], "__proto__": {}}', bodyInvalid('"__proto__"')],
  ['has the items within __proto__', '{"__proto__": {"items": []}}', bodyInvalid('"__proto__"')],
  ['has constructor beside items', '{"items": [], "constructor": 1}', bodyInvalid('"constructor"')],
  ['gives items twice', '{"items": [], "items": []}', bodyInvalid('"items" appears twice')],
  [
    'gives items twice, once escaped',
    '{"items": [], "item\\u0073": []}',
    bodyInvalid('"items" appears twice'),
  ],
  ['is nested 33 levels deep', `{"items": [${nestedArrays(31)}]}`, tooDeep('32 levels')],
  ['is nested 200,000 levels deep', nestedArrays(200_000), tooDeep('32 levels')],
  ['opens 200,000 levels and closes none', '{"items":'.repeat(200_000), tooDeep('32 levels')],
];
