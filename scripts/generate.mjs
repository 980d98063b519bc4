// Writes the files that are generated from the code: openapi.json, openapi-contract.json, docs/errors.md and
// docs/configuration.md.
// With --check, it writes nothing and fails if one of them is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { commandVariables } from '../dist/config/command-variables.js';
import { flagOf } from '../dist/config/flags.js';
import { defaultText } from '../dist/config/kinds.js';
import { settingGroups } from '../dist/config/settings.js';
import { errorCatalogue } from '../dist/contract/errors.js';
import { withInlinedParts } from '../dist/http/openapi-shared-parts.js';
import { contractDocument } from './api-parts.mjs';
import { describedApp } from './described-app.mjs';

/** Of generated JSON, as long as a property with its description usually is. */
const lineWidth = 180;
const openApi = (await describedApp()).swagger();
const made = {
  'openapi.json': asJson(openApi),
  'openapi-contract.json': asJson(contractDocument(withInlinedParts(openApi))),
  'docs/errors.md': errors(),
  'docs/configuration.md': configuration(),
};
const check = process.argv.includes('--check');
const stale = [];

for (const [file, text] of Object.entries(made)) {
  const url = new URL(`../${file}`, import.meta.url);
  if (!check) writeFileSync(url, text);
  else if (read(url) !== text) stale.push(file);
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run "npm run generate" and commit the result.`);
  process.exit(1);
}
console.log(check ? 'Generated files are up to date.' : `Written: ${Object.keys(made).join(', ')}.`);
process.exit(0);

function asJson(document) {
  return `${folded(document, '', 0)}\n`;
}

/** Like JSON.stringify with an indent of one space, but on one line what fits on one. */
function folded(value, indent, before) {
  const line = onOneLine(value);
  if (indent.length + before + line.length <= lineWidth || typeof value !== 'object' || value === null)
    return line;
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => inner + folded(each, inner, 1)).join(',\n')}\n${indent}]`;
  }
  const lines = Object.entries(value).map(([key, each]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${inner}${name}${folded(each, inner, name.length + 1)}`;
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function onOneLine(value) {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function errors() {
  const ranges = {
    100: 'The request',
    101: 'The user',
    102: 'Access and credentials',
    103: 'Calls and events',
    104: 'Directories',
    105: 'Identity providers',
    109: 'The service',
  };
  const sections = Object.entries(ranges).map(([range, title]) => {
    const rows = Object.entries(errorCatalogue).filter(
      ([, { code }]) => Math.floor(code / 100) === Number(range),
    );
    const lines = rows.map(
      ([name, { code, status, meaning, data }]) =>
        `| ${code} | \`${name}\` | ${status} | ${meaning} | ${dataOf(data)} |`,
    );
    return `## ${title}\n\n| errorCode | message | HTTP | meaning | data |\n|---|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Errors

For developers of callers: every error of the API. An error reply is \`{"errorCode", "message", "detail", "data"}\`, and a
failed item of a bulk call has the same object under \`error\`. Programs read \`errorCode\`, \`message\` and \`data\`, which are
stable; \`detail\` is for people and may be reworded. In \`data\`, \`?\` marks an optional property.

- \`POST /service/users\` and \`POST /service/users/update-bulk\` send \`data\` only with \`?details=true\`.
- In bulk reports with positions, errors have a \`reason\`: the \`detail\` without the position of the item.
- Replies with \`retryAfterSeconds\` have a \`Retry-After\` header.
- Requests rejected before the operation is known (10001, 10010, 10016) have no data.

Generated from \`src/contract/errors.ts\` by \`npm run generate\`.

${sections.join('\n')}`;
}

/** An optional property is marked with a question mark. */
function dataOf(schema) {
  const names = Object.keys(schema?.properties ?? {});
  return names.map((name) => `\`${name}${schema.required?.includes(name) ? '' : '?'}\``).join(', ');
}

function configuration() {
  const rowOf = (setting) => {
    const { name, description, canBeFile } = setting;
    const values = valuesOf(setting);
    const shown = defaultText(setting) === '' ? '' : `\`${defaultText(setting)}\``;
    return `| \`${name}\`${canBeFile ? ' (`_FILE`)' : ''} | ${shown} | ${description}${values === '' ? '' : ` *${values}*`} |`;
  };
  const sections = settingGroups.map(({ title, settings }) => {
    const header = '| Variable | Default | Meaning |\n|---|---|---|';
    return `## ${title}\n\n${header}\n${settings.map(rowOf).join('\n')}\n`;
  });
  const example = 'ROLLCALL_DATA_DIR';
  const ofCommands = Object.entries(commandVariables).map(
    ([name, meaning]) => `| \`${name}\` | ${meaning} |`,
  );
  return `# Configuration

For operators: every setting, its default and its values. A setting is an environment variable or a flag of
\`rollcall serve\`, which takes precedence: \`${example}\` is \`${flagOf(example)}\`, and \`PORT\` is \`${flagOf('PORT')}\`. The service
refuses to start with an invalid value or an unknown \`ROLLCALL_*\` variable. An empty variable counts as unset.

A setting marked \`_FILE\` can be read from a file: \`SMTP_URL_FILE\` (\`${flagOf('SMTP_URL_FILE')}\`) names the file. Use it for
secrets, because other users on the machine can see flags.

Variables that aren't listed here are for the tests, and any release may change them. Generated from
\`src/config/settings.ts\` by \`npm run generate\`.

${sections.join('\n')}
## Command variables

Commands that talk to a service read these variables, which take precedence over a saved login.

| Variable | Meaning |
|---|---|
${ofCommands.join('\n')}

\`NO_COLOR\` turns colors off. The login is saved in \`XDG_CONFIG_HOME\` (\`~/.config/rollcall\`).
`;
}

/** What the description doesn't say already. */
function valuesOf({ expects, choices, description }) {
  const saysChoices = choices?.every((choice) => description.includes(`\`${choice}\``));
  const isKnown = /^(?:text|a URL|an https|a JSON|one password)/.test(expects);
  if (isKnown || saysChoices || description.startsWith('Comma-separated')) return '';
  return expects
    .replace(/^a whole number from (\d+) to 2147483647$/, 'at least $1')
    .replace(/^a whole number from (\d+) to (\d+)/, '$1 to $2')
    .replace(/^one of /, '');
}

function read(url) {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}
