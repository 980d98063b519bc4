// Generates sheets/src/generated: the fields that bulk calls accept, from openapi.json, and their rules. The patterns
// come from the built service, because those in openapi.json are portable and therefore less exact. The forms of texts
// are a copy, because the package contains only its own files.
// With --check, it writes nothing and fails if a file is out of date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { bulkUpdateFields, createUserFields } from '../dist/contract/users.js';

const root = new URL('../', import.meta.url);
const folder = new URL('sheets/src/generated/', root);
const { schemas } = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')).components;
const exact = { ...createUserFields, ...bulkUpdateFields };
const operations = { create: accepted(schemas.CreateUser), update: accepted(schemas.BulkUpdateItem) };

const rules = {};
for (const { properties } of Object.values(operations)) {
  for (const [field, schema] of Object.entries(properties)) rules[field] = ruleOf(field, schema);
}
const taken = Object.fromEntries(
  Object.entries(operations).map(([operation, { properties, required }]) => [
    operation,
    { fields: Object.keys(properties), required },
  ]),
);
const rulesText = formatted(`// Generated from openapi.json by scripts/generate-sheets.mjs.

/** The rule of each field as the service tells it, and the numbers it is made of. */
export const fieldRules = ${JSON.stringify(rules)} as const;

/** The fields that an item of each bulk call may have and must have. */
export const operationFields = ${JSON.stringify(taken)} as const;
`);

const forms = readFileSync(new URL('src/contract/text-forms.ts', root), 'utf8');
const files = {
  'rules.ts': rulesText,
  'text-forms.ts': `// Copied from src/contract/text-forms.ts by scripts/generate-sheets.mjs.\n\n${forms}`,
};

for (const [file, text] of Object.entries(files)) {
  const target = new URL(file, folder);
  const path = `sheets/src/generated/${file}`;
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text);
    console.log(`Written: ${path}.`);
  } else if (readFileSync(target, 'utf8') !== text) {
    console.error(`Out of date: ${path}. Run "node scripts/generate-sheets.mjs".`);
    process.exitCode = 1;
  } else console.log(`${path} is up to date.`);
}

/** Without the fields that may only be null. */
function accepted({ properties, required }) {
  const fields = Object.entries(properties).filter(([, { type }]) => type !== 'null');
  return { properties: Object.fromEntries(fields), required };
}

function ruleOf(field, schema) {
  const value = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (value.type === 'boolean') return { type: 'boolean', rule: 'a boolean, true or false' };
  if (value.type === 'array') {
    const item = textRule('organizationSerial', value.items, value.items.description);
    const rule = `an array of at most ${value.maxItems} strings${item.rule.replace(/^a string/, '')}`;
    return { type: 'list', rule, maxItems: value.maxItems, item };
  }
  return textRule(field, value, schema.description);
}

/** The rule is the last sentence of the description. */
function textRule(field, { minLength = 1, maxLength }, description) {
  const sentence = /\. (An? .*)\.$/.exec(description)?.[1];
  if (sentence === undefined) throw new Error(`The description of "${field}" does not end with its rule.`);
  const rule = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  const { form, pattern } = exact[field].field;
  return { type: 'text', rule, ...(form && { form }), pattern, minLength, maxLength };
}

function formatted(source) {
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root));
  const path = fileURLToPath(new URL('rules.ts', folder));
  return execFileSync(process.execPath, [biome, 'check', '--write', `--stdin-file-path=${path}`], {
    cwd: fileURLToPath(root),
    input: source,
    encoding: 'utf8',
  });
}
