// Writes docs/command-line.md from the command definitions.
// With --check, it writes nothing and fails if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { listLimitDefault } from '../dist/cli/output.js';
import { exitCodes } from '../dist/cli/problem.js';
import { buildProgram } from '../dist/cli/program.js';
import { commandVariables } from '../dist/config/command-variables.js';

const target = new URL('../docs/command-line.md', import.meta.url);
const program = buildProgram();
const help = program.createHelp();
const exitMeanings = {
  done: 'success',
  someFailed: 'partial failure',
  wrongUse: 'invalid command or setting',
  unreachable: 'service or database unreachable',
  refused: 'refused',
};
/** Flags that are settings are documented in configuration.md. */
const settingGroups = ['Settings:', 'More settings:', 'Limits:'];

const text = `${introduction()}\n${groups().map(groupText).join('\n')}`;
if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
  console.log('Written: docs/command-line.md.');
} else if (read() !== text) {
  console.error('Out of date: docs/command-line.md. Run "npm run generate" and commit the result.');
  process.exit(1);
} else console.log('docs/command-line.md is up to date.');

function introduction() {
  const exits = Object.entries(exitCodes).map(([name, code]) => `${code} ${meaningOf(name)}`);
  const text = `# Commands

**Help.** \`rollcall --help\` lists the commands. \`rollcall help users create\` and \`rollcall users create --help\` show what this page
documents. \`rollcall completion bash\` (or \`zsh\`, \`fish\`) sets up completion for your shell.

**Logging in.** \`rollcall login\` asks for the URL of the service, and for a client ID and secret or a username and password. It verifies them and
saves the login in a file that only you can read. In jobs, set \`ROLLCALL_URL\` with \`ROLLCALL_CLIENT_ID\` and \`ROLLCALL_CLIENT_SECRET\`, or
with \`ROLLCALL_TOKEN\`; they take precedence over a saved login: see
[command variables](configuration.md#command-variables). Secrets are never arguments, because other users on the machine can see those.

**Output.** Data goes to stdout, messages to stderr. Use \`--json\` in scripts: data and errors are then JSON. Lists stop after
${listLimitDefault} entries; \`--limit\` and \`--all\` print more. Output is colored on terminals; \`NO_COLOR\` turns colors off.

**Exit codes.** ${exits.join('; ')}.
See [exit codes](operating.md#exit-codes) for details.

This page is generated from the commands by \`npm run generate\`. The tests run every example, with real IDs for \`$CALL\` and similar variables.
`;
  for (const [name] of text.matchAll(/ROLLCALL_\w+/g)) {
    if (!(name in commandVariables)) throw new Error(`There is no variable ${name}.`);
  }
  return text;
}

function meaningOf(exit) {
  if (!(exit in exitMeanings)) throw new Error(`The exit code "${exit}" needs a meaning here.`);
  return exitMeanings[exit];
}

/** The commands by help group, with parent commands replaced by their subcommands. */
function groups() {
  const visible = children(program);
  const headings = [...new Set(visible.map((command) => command.helpGroup()))];
  return headings.map((heading) => ({
    title: heading.replace(/:$/, ''),
    commands: visible.filter((command) => command.helpGroup() === heading).flatMap(leaves),
  }));
}

function children(command) {
  return help.visibleCommands(command).filter((child) => child.name() !== 'help');
}

function leaves(command) {
  return command.commands.length === 0 ? [command] : children(command).flatMap(leaves);
}

function groupText({ title, commands }) {
  return `## ${title}\n\n${commands.map(commandText).join('\n')}`;
}

function commandText(command) {
  const parts = [
    `### \`${usageOf(command)}\``,
    command.description(),
    tableOf(command),
    command.options.some(isSetting)
      ? 'Every setting in [configuration.md](configuration.md) is also a flag.'
      : '',
    ...detailsOf(command),
    `\`\`\`sh\n${command.exampleLines.join('\n')}\n\`\`\``,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function usageOf(command) {
  const names = [];
  for (let each = command; each; each = each.parent) names.unshift(each.name());
  return `${names.join(' ')} ${command.usage().replace(/^\[options\] ?/, '')}`.trim();
}

function isSetting({ helpGroupHeading }) {
  return settingGroups.includes(helpGroupHeading);
}

/** Arguments and options, except those that the introduction documents. */
function tableOf(command) {
  const isList = command.options.some(({ long }) => long === '--limit');
  const documented = ['--json', '--help', ...(isList ? ['--limit', '--all'] : [])];
  const options = help
    .visibleOptions(command)
    .filter((option) => !documented.includes(option.long) && !isSetting(option));
  const given = help
    .visibleArguments(command)
    .map((argument) => [argumentTerm(argument), help.argumentDescription(argument)]);
  if (options.length === 0) return given.map(([term, meaning]) => `\`${term}\`: ${meaning}.`).join(' ');
  const rows = given.map(([term, meaning]) => row(term, meaning));
  let heading;
  for (const option of options) {
    const { helpGroupHeading } = option;
    if (helpGroupHeading && helpGroupHeading !== heading)
      rows.push(`| **${helpGroupHeading.replace(/:$/, '')}** | |`);
    heading = helpGroupHeading;
    rows.push(row(help.optionTerm(option), help.optionDescription(option)));
  }
  return `| | |\n|---|---|\n${rows.join('\n')}`;
}

function argumentTerm(argument) {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

function row(term, description) {
  return `| \`${cell(term)}\` | ${cell(description)} |`;
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}

/** The help text below the options, without the examples. Commander passes it to the listener that writes the help. */
function detailsOf(command) {
  const written = [];
  command.emit('afterHelp', { error: false, command, write: (part) => written.push(part.trim()) });
  const details = written.filter((part) => !/^Examples?:/.test(part));
  // Keep indented text as it is.
  return details.map((part) => (/^ {2}/m.test(part) ? `\`\`\`\n${part}\n\`\`\`` : part));
}

function read() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return undefined;
  }
}
