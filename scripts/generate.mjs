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

Every error reply is \`{"errorCode", "message", "detail", "data"}\`. A failed item of a bulk call has the same object under
\`error\`. \`errorCode\`, \`message\` and \`data\` are stable and meant for programs. \`detail\` is meant to be read by humans and may be
reworded, so never parse it. \`data\` has the properties listed below, and is absent if an error has none; \`?\` marks an
optional property.

\`POST /service/users\` and \`POST /service/users/update-bulk\` leave \`data\` out unless you send \`?details=true\`. On
update-bulk the parameter also adds \`position\`, the index of the item, to every entry of the report. In bulk reports with
positions, errors also have a \`reason\`: the \`detail\` without the position of the item.

Requests and items share the same codes. Replies with \`retryAfterSeconds\` also have a \`Retry-After\` header. Requests that
are rejected before the operation is known (10001, 10010, 10016) have no data.

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
    const { name, description, expects, canBeFile } = setting;
    const shown = defaultText(setting) === '' ? '' : `\`${defaultText(setting)}\``;
    const file = canBeFile
      ? ` Can be read from a file: \`${name}_FILE\` (\`${flagOf(`${name}_FILE`)}\`).`
      : '';
    const value = expects.replace(/ from (\d+) to 2147483647$/, ' of at least $1');
    return `| \`${name}\` | \`${flagOf(name)}\` | ${shown} | ${description}${file} | ${value} |`;
  };
  const sections = settingGroups.map(({ title, settings }) => {
    const header = '| Variable | Flag | Default | Meaning | Value |\n|---|---|---|---|---|';
    return `## ${title}\n\n${header}\n${settings.map(rowOf).join('\n')}\n`;
  });
  const ofCommands = Object.entries(commandVariables).map(
    ([name, meaning]) => `| \`${name}\` | ${meaning} |`,
  );
  return `# Configuration

Settings are environment variables, or flags of \`rollcall serve\`, which take precedence. The service refuses to start with
an invalid value or an unknown \`ROLLCALL_*\` variable, and says what is wrong. An empty variable counts as unset. Other
users on the machine can see the flags of a process, so pass secrets in a variable or a file.

\`rollcall doctor\` accepts the same flags, and commands that open the database, such as \`rollcall migrate\` and
\`rollcall backup\`, accept those that locate it.

The service also knows internal variables, which its tests use and any release may change or remove.

Generated from \`src/config/settings.ts\` by \`npm run generate\`.

${sections.join('\n')}
## Command variables

Commands that talk to a service, such as \`rollcall users\` and \`rollcall sync\`, read these variables. They take precedence over a login saved by
\`rollcall login\`. The service ignores them.

| Variable | Meaning |
|---|---|
${ofCommands.join('\n')}

\`NO_COLOR\` turns colors off. The login is saved in \`XDG_CONFIG_HOME\` (\`~/.config/rollcall\`).
`;
}

function read(url) {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}
