// Generates sheets/src/generated from the built service: the fields of users, which bulk calls accept them, and their
// rules. Code that both need is copied, because the package contains only its own files.
// With --check, it writes nothing and fails if a file is out of date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineField } from '../dist/contract/fields.js';
import { attributeLimits } from '../dist/contract/limits.js';
import { userFields } from '../dist/contract/user-fields.js';
import { sentFields } from '../dist/contract/user-values.js';
import { bulkUpdateFields, createUserFields } from '../dist/contract/users.js';

const root = new URL('../', import.meta.url);
const folder = new URL('sheets/src/generated/', root);
const operations = { create: createUserFields, update: bulkUpdateFields };

const { attributes: _, ...uses } = Object.assign({}, ...Object.values(operations));
const rules = Object.fromEntries(
  Object.entries(uses).map(([name, { field }]) => [name, ruleOf(userFields[name].kind, field)]),
);
const taken = Object.fromEntries(
  Object.entries(operations).map(([operation, fields]) => {
    const names = Object.keys(fields).filter((name) => name in rules);
    return [operation, { fields: names, required: names.filter((name) => fields[name].required) }];
  }),
);
const stored = Object.fromEntries(
  sentFields.map((name) => {
    const { kind, isRequired = false, width = 20 } = userFields[name];
    return [name, { kind, isRequired, width }];
  }),
);
const { textDefaultLength, listMaxCount, numberDigitsMax } = attributeLimits;
const { rule: _rule, ...text } = ruleOf('text', lineField({ example: '', maxLength: textDefaultLength }));
const attributes = { text, listMaxCount, numberDigitsMax };
const rulesText = formatted(`// Generated from the service by scripts/generate-sheets.mjs.

/** The stored fields of users, and the widths of their columns in a workbook. */
export const userFields = ${JSON.stringify(stored)} as const;

/** The rule of each field as the service tells it, and the numbers it is made of. */
export const fieldRules = ${JSON.stringify(rules)} as const;

/** The fields that an item of each bulk call may have and must have. */
export const operationFields = ${JSON.stringify(taken)} as const;

/** The rule of texts that an administrator has defined as attributes, unless their length is limited, and other limits. */
export const attributeRules = ${JSON.stringify(attributes)} as const;
`);

const copied = ['contract/text-forms.ts', 'contract/edit-distance.ts', 'config/nearest.ts'];
const files = { 'rules.ts': rulesText, ...Object.fromEntries(copied.map(copyOf)) };

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

/** The copies are in one folder. */
function copyOf(path) {
  const source = readFileSync(new URL(`src/${path}`, root), 'utf8').replaceAll(
    "from '../contract/",
    "from './",
  );
  return [basename(path), `// Copied from src/${path} by scripts/generate-sheets.mjs.\n\n${source}`];
}

function ruleOf(type, { rule, schema, form, pattern, item }) {
  if (type === 'boolean') return { type, rule };
  if (type === 'list') return { type, rule, maxItems: schema.maxItems, item: ruleOf('text', item) };
  const { minLength, maxLength } = schema;
  return { type, rule, ...(form && { form }), pattern, minLength, maxLength };
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
