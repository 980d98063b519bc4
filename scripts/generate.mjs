// Writes the files that are generated from the code: openapi.json, docs/errors.md and docs/configuration.md.
// With --check, it writes nothing and fails if one of them is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { commandVariables } from '../dist/config/command-variables.js';
import { flagOf } from '../dist/config/flags.js';
import { defaultText } from '../dist/config/kinds.js';
import { allSettings } from '../dist/config/settings.js';
import { errorCatalogue } from '../dist/contract/errors.js';
import { describedApp } from './described-app.mjs';

const made = {
  'openapi.json': await openApi(),
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

async function openApi() {
  const app = await describedApp();
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}

function errors() {
  const ranges = {
    100: 'The request',
    101: 'The user',
    102: 'Access and credentials',
    103: 'Calls and events',
    109: 'The service',
  };
  const sections = Object.entries(ranges).map(([range, title]) => {
    const rows = Object.entries(errorCatalogue).filter(
      ([, { code }]) => Math.floor(code / 100) === Number(range),
    );
    const lines = rows.map(
      ([name, { code, status, meaning }]) => `| ${code} | \`${name}\` | ${status} | ${meaning} |`,
    );
    return `## ${title}\n\n| errorCode | message | HTTP | meaning |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Errors

Every failure has the body \`{"errorCode", "message", "detail"}\`; a failed item of a bulk call has the same under
\`error\`. \`errorCode\` and \`message\` are stable and meant for programs; \`detail\` is for people and may be reworded.
The same code serves a single request and an item. 503 comes with \`Retry-After\`.

Generated from \`src/contract/errors.ts\` by \`npm run generate\`.

${sections.join('\n')}`;
}

function configuration() {
  const rows = allSettings.map((setting) => {
    const { name, formerName, description, expects, canBeFile } = setting;
    const shown = defaultText(setting) === '' ? '' : `\`${defaultText(setting)}\``;
    const file = canBeFile
      ? ` Can be read from a file: \`${name}_FILE\` (\`${flagOf(`${name}_FILE`)}\`).`
      : '';
    const former = formerName
      ? ` The former name, \`${formerName}\` (\`${flagOf(formerName)}\`), still works.`
      : '';
    return `| \`${name}\` | \`${flagOf(name)}\` | ${shown} | ${description}${file}${former} | ${expects} |`;
  });
  const ofCommands = Object.entries(commandVariables).map(
    ([name, meaning]) => `| \`${name}\` | ${meaning} |`,
  );
  return `# Configuration

Settings are environment variables, or flags of \`rollcall serve\`, which take precedence. The service refuses to start with an invalid value or
an unknown \`ROLLCALL_*\` variable, and says what is wrong. An empty variable counts as unset. Other users on the machine can see the flags of a
process, so pass secrets in a variable or a file.

\`rollcall doctor\` accepts the same flags. \`rollcall migrate\` and \`rollcall keys rotate\` accept the flags that locate the database.

Generated from \`src/config/settings.ts\` by \`npm run generate\`.

| Variable | Flag | Default | Meaning | Value |
|---|---|---|---|---|
${rows.join('\n')}

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
