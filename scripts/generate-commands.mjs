// Writes docs/command-line.md from the commands that there are.
// With --check it writes nothing and fails if the file is not what they say.
import { readFileSync, writeFileSync } from 'node:fs';
import { exitCodes } from '../dist/cli/exit-codes.js';
import { listLimitDefault } from '../dist/cli/output.js';
import { buildProgram } from '../dist/cli/program.js';
import { commandVariables } from '../dist/config/command-variables.js';

const target = new URL('../docs/command-line.md', import.meta.url);
const program = buildProgram();
const help = program.createHelp();
const exitMeanings = {
  done: 'done',
  someFailed: 'some of it failed',
  wrongUse: 'the command or a setting is wrong',
  unreachable: 'the service, or its database, does not answer',
  refused: 'refused',
};
/** Flags that are settings, which have a document of their own. */
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
  const words = `# Commands

**Help.** \`rollcall --help\` lists the commands; \`rollcall help users create\`, or \`rollcall users create --help\`, tells what is
on this page. \`rollcall completion bash\` (or \`zsh\`, \`fish\`) lets your shell complete it.

**Logging in.** \`rollcall login\` asks for the URL of the service, and for a client and its secret or a username and password,
checks them, and keeps the login for your eyes alone. Jobs set \`ROLLCALL_URL\`, \`ROLLCALL_CLIENT_ID\` and
\`ROLLCALL_CLIENT_SECRET\` instead, or \`ROLLCALL_TOKEN\`, which go before a login: see
[the variables of the commands](configuration.md#variables-of-the-commands). Secrets are no arguments, which others could see.

**Output.** Data goes to stdout, and what is said about it to stderr. \`--json\` is for scripts: data and errors are JSON. Lists end
after ${listLimitDefault}; \`--limit\` and \`--all\` print more. Colours are for terminals, and \`NO_COLOR\` turns them off.

**Exit codes.** ${exits.join('; ')}.
[More about them](operating.md#exit-codes).

Generated from the commands by \`npm run generate\`. The tests run every example, with \`$CALL\` and the like being real IDs.
`;
  for (const [name] of words.matchAll(/ROLLCALL_\w+/g)) {
    if (!(name in commandVariables)) throw new Error(`There is no ${name} any more.`);
  }
  return words;
}

function meaningOf(exit) {
  if (!(exit in exitMeanings)) throw new Error(`The exit code "${exit}" needs a meaning here.`);
  return exitMeanings[exit];
}

/** The commands as the help groups them, each with those below it in place of itself. */
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
    command.options.some(isSetting) ? 'Every setting of [configuration.md](configuration.md) is a flag.' : '',
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

/** Arguments and options, but for those that the introduction tells of. */
function tableOf(command) {
  const isList = command.options.some(({ long }) => long === '--limit');
  const told = ['--json', '--help', ...(isList ? ['--limit', '--all'] : [])];
  const options = help
    .visibleOptions(command)
    .filter((option) => !told.includes(option.long) && !isSetting(option));
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

function cell(words) {
  return words.replaceAll('|', '\\|');
}

/** What the help says below the options, but for the examples: commander hands it to whoever writes the help. */
function detailsOf(command) {
  const written = [];
  command.emit('afterHelp', { error: false, command, write: (part) => written.push(part.trim()) });
  const details = written.filter((part) => !/^Examples?:/.test(part));
  // What is set in is meant to stay so.
  return details.map((part) => (/^ {2}/m.test(part) ? `\`\`\`\n${part}\n\`\`\`` : part));
}

function read() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return undefined;
  }
}
