// Writes docs/command-line.md from the command definitions.
// With --check, it writes nothing and fails if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { listLimitDefault } from '../dist/cli/output.js';
import { exitCodes } from '../dist/cli/problem.js';
import { buildProgram } from '../dist/cli/program.js';
import { commandVariables } from '../dist/config/command-variables.js';
import { flagOf } from '../dist/config/flags.js';
import { operatorSettings } from '../dist/config/settings.js';

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
const settingFlags = new Set(operatorSettings.flatMap(({ name }) => [flagOf(name), flagOf(`${name}_FILE`)]));
const settingGroups = ['Settings:', 'More settings:', 'Limits:', 'Database:', 'Backup:'];
/** The help shows all. */
const examplesMax = 2;
/** The introduction documents them. */
const everywhere = ['--json', '--help', '--yes'];
/** The introduction documents them, and commands name them. */
const named = ['--dry-run'];
const inLists = ['--limit', '--all'];

const commands = leaves(program);
/** Groups of options that several commands accept, such as filters. */
const sharedGroups = [...new Set(commands.flatMap(groupsOf))].filter(
  (group) => commands.filter((command) => groupsOf(command).includes(group)).length > 1,
);
const text = [introduction(), ...sharedGroups.map(sharedText), ...sections().map(sectionText)].join('\n');
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

For people who write scripts and jobs: every command of \`rollcall\`, with its options. \`rollcall users create --help\` shows
the same in a terminal, and [\`rollcall completion\`](#rollcall-completion-shell) completes commands in your shell.

**Logging in.** \`rollcall login\` saves a login. In jobs, set \`ROLLCALL_URL\` with \`ROLLCALL_CLIENT_ID\` and
\`ROLLCALL_CLIENT_SECRET\`, or with \`ROLLCALL_TOKEN\` ([variables](configuration.md#command-variables)); they take
precedence. Secrets are never arguments, because other users on the machine can see those.

**Output.** Data goes to stdout, messages to stderr. With \`--json\`, data and errors are JSON. Lists stop after
${listLimitDefault} entries; \`--limit\` and \`--all\` print more. Commands that ask for confirmation accept \`--yes\`. \`--dry-run\` shows
what a command would do, without changing anything.

**Exit codes.** ${exits.join('; ')} ([details](operating.md#exit-codes)).

**Settings as flags.** \`rollcall serve\` and \`rollcall doctor\` accept every [setting](configuration.md) as a flag. Commands
that open the database accept \`--data-dir\`, \`--database-url\` and \`--database-url-file\`, and those that read or write
backups \`--backup-passphrase\` and \`--backup-passphrase-file\`.

Generated from the commands by \`npm run generate\`. \`--help\` shows more examples, which
the tests run.
`;
  for (const [name] of text.matchAll(/ROLLCALL_\w+/g)) {
    if (!(name in commandVariables)) throw new Error(`There is no variable ${name}.`);
  }
  for (const [flag] of text.matchAll(/--(?:data|database|backup)[\w-]+/g)) {
    if (!settingFlags.has(flag)) throw new Error(`There is no flag ${flag}.`);
  }
  return text;
}

function meaningOf(exit) {
  if (!(exit in exitMeanings)) throw new Error(`The exit code "${exit}" needs a meaning here.`);
  return exitMeanings[exit];
}

/** What several commands accept: their common options, and what the help of all of them says. */
function sharedText(group) {
  const users = commands.filter((command) => groupsOf(command).includes(group));
  const [first, ...others] = users;
  const rows = optionsOf(first).filter(({ helpGroupHeading }) => helpGroupHeading === group);
  const details = detailsOf(first).filter((part) => others.every((other) => detailsOf(other).includes(part)));
  return blocks([
    `## ${titleOf(group)}`,
    `For ${users.map((user) => `\`${nameOf(user)}\``).join(', ')}.`,
    ...details,
    rows.map(optionRow).join('\n'),
  ]);
}

function titleOf(group) {
  return group.replace(/:$/, '');
}

/** The groups of options that a command accepts as a whole. The group "Options" has whatever is left. */
function groupsOf(command) {
  const groups = optionsOf(command).map(({ helpGroupHeading }) => helpGroupHeading);
  return [...new Set(groups)].filter((group) => group && group !== 'Options:');
}

/** The help groups of the program, with their commands. */
function sections() {
  const visible = children(program);
  const headings = [...new Set(visible.map((command) => command.helpGroup()))];
  return headings.map((heading) => ({
    title: titleOf(heading),
    tops: visible.filter((command) => command.helpGroup() === heading),
  }));
}

function sectionText({ title, tops }) {
  return blocks([`## ${title}`, ...tops.flatMap(topText)]);
}

/** A command, or the commands below it: the plain ones as a list, then the others, then deeper ones. */
function topText(top) {
  if (top.commands.length === 0) return commandText(top, [], '###');
  const below = children(top);
  const direct = below.filter(({ commands }) => commands.length === 0);
  const nested = below.filter((child) => !direct.includes(child));
  if (direct.length === 1 && nested.length === 0) return commandText(direct[0], [], '###');
  const shared = sharedRows(direct);
  const plain = direct.filter((command) => isPlain(command, shared));
  return [
    `### \`${nameOf(top)}\``,
    top.description(),
    plain.map((command) => plainText(command, shared)).join('\n'),
    shared.length > 0 ? 'Several of these commands accept:' : '',
    shared.join('\n'),
    ...direct
      .filter((command) => !plain.includes(command))
      .flatMap((command) => commandText(command, shared, '####')),
    ...nested.flatMap(topText),
  ];
}

/** Whether all about a command fits into one entry of a list. */
function isPlain(command, shared) {
  const { rows, details, examples } = ownParts(command, shared);
  return rows.length <= 1 && examples.length === 0 && !details.some((part) => part.startsWith('`'));
}

/** Arguments and options that mean the same for several of the commands. */
function sharedRows(all) {
  const rows = all.flatMap((command) => [...new Set(rowsOf(command))]);
  return [...new Set(rows.filter((each, at) => rows.indexOf(each) !== at))];
}

function plainText(command, shared) {
  const { rows, details } = ownParts(command, shared);
  const own = rows.map((each) => `${each.replace('- ', '')}.`);
  const text = [command.description(), alsoOf(command, shared), ...own, ...details].filter(
    (part) => part !== '',
  );
  return `- \`${usageOf(command).replace(`${nameOf(command.parent)} `, '')}\`: ${text.join(' ').replaceAll('\n', ' ')}`;
}

function commandText(command, shared, level) {
  const { rows, details, examples } = ownParts(command, shared);
  return [
    `${level} \`${usageOf(command)}\``,
    `${command.description()} ${alsoOf(command, shared)}`.trim(),
    listOf(command, rows),
    ...details,
    examples.length > 0 ? `\`\`\`sh\n${examples.join('\n')}\n\`\`\`` : '',
  ];
}

/** The rows, with the titles of groups that only this command has. */
function listOf(command, rows) {
  const titles = new Map(optionsOf(command).map((option) => [optionRow(option), option.helpGroupHeading]));
  const groups = [...new Set(rows.map((each) => titles.get(each)))];
  const texts = groups.map((group) => {
    const list = rows.filter((each) => titles.get(each) === group).join('\n');
    return group && groups.length > 2 ? `**${titleOf(group)}**\n\n${list}` : list;
  });
  return texts.join(groups.length > 2 ? '\n\n' : '\n');
}

/** What only this command has. */
function ownParts(command, shared) {
  return {
    rows: rowsOf(command).filter((each) => !shared.includes(each)),
    details: detailsOf(command).filter((part) => !groupsOf(command).some((group) => isSaidBy(group, part))),
    examples: examplesOf(command),
  };
}

/** The most important examples. Of those that differ only in whether they are a preview, the first. */
function examplesOf(command) {
  const lines = command.exampleLines.filter((line) => !isObvious(line, command));
  const real = lines.map((line) => line.replace(/ --(?:dry-run|yes)/g, ''));
  return lines.filter((_, at) => real.indexOf(real[at]) === at).slice(0, examplesMax);
}

/** Whether every command with this group of options says it, so that it stands with the group. */
function isSaidBy(group, part) {
  const users = commands.filter((command) => groupsOf(command).includes(group));
  return users.length > 1 && users.every((each) => detailsOf(each).includes(part));
}

/** An example adds nothing if it only fills in the arguments of the usage. */
function isObvious(line, command) {
  const name = nameOf(command);
  const [before, after] = line.split(name);
  const words = after?.trim().split(' ') ?? [];
  return before === '' && words.every((word) => /^(?:"\$\w+"|\w[\w.-]*|--json|--yes|--dry-run|)$/.test(word));
}

/** Names the options that are described elsewhere. */
function alsoOf(command, shared) {
  const options = optionsOf(command)
    .filter((option) => named.includes(option.long) || shared.includes(optionRow(option)))
    .map(({ long }) => `\`${long}\``);
  const groups = groupsOf(command)
    .filter((group) => sharedGroups.includes(group))
    .map((group) => titleOf(group).toLowerCase())
    .map((title) => `[${title}](#${title.replaceAll(' ', '-')})`);
  const also = [...groups, ...options];
  return also.length === 0 ? '' : `Accepts ${also.join(', ')}.`;
}

function children(command) {
  return help.visibleCommands(command).filter((child) => child.name() !== 'help');
}

function leaves(command) {
  return command.commands.length === 0 ? [command] : children(command).flatMap(leaves);
}

function nameOf(command) {
  const names = [];
  for (let each = command; each; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}

function usageOf(command) {
  return `${nameOf(command)} ${command.usage().replace(/^\[options\] ?/, '')}`.trim();
}

/** The options that this page describes for some commands only. */
function optionsOf(command) {
  const options = help.visibleOptions(command);
  const isList = options.some(({ long }) => long === '--limit');
  const known = isList ? [...everywhere, ...inLists] : everywhere;
  return options.filter((option) => !known.includes(option.long) && !isSetting(option));
}

function isSetting({ long, helpGroupHeading }) {
  return settingGroups.includes(helpGroupHeading) && settingFlags.has(long);
}

function rowsOf(command) {
  const own = optionsOf(command).filter(
    ({ long, helpGroupHeading }) => !named.includes(long) && !sharedGroups.includes(helpGroupHeading),
  );
  const given = help
    .visibleArguments(command)
    .map((argument) => row(argumentTerm(argument), help.argumentDescription(argument)));
  return [...given, ...own.map(optionRow)];
}

function optionRow(option) {
  return row(termOf(option), described(option));
}

/** With the choices in place of the name of the value, if they are words. */
function termOf(option) {
  const term = help.optionTerm(option);
  return hasWords(option) ? term.replace(/[<[].*[>\]]$/, `<${option.argChoices.join('|')}>`) : term;
}

/** Without the choices that the term shows. */
function described(option) {
  const text = help.optionDescription(option);
  if (!hasWords(option)) return text;
  return text.replace(/ ?\(choices: .*?(?:, (default: )"(.*)")?\)$/, (_, label, preset) =>
    label ? ` (${label}${preset})` : '',
  );
}

function hasWords({ argChoices }) {
  return argChoices?.every((choice) => /^[\w-]+$/.test(choice));
}

function argumentTerm(argument) {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

function row(term, description) {
  return `- \`${term}\`: ${description}`;
}

/** The help text below the options, without the examples. Commander passes it to the listener that writes the help. */
function detailsOf(command) {
  const written = [];
  command.emit('afterHelp', { error: false, command, write: (part) => written.push(part.trim()) });
  const details = written
    .filter((part) => !/^Examples?:/.test(part))
    .map((part) => part.replace(/\s*^Exit codes: .*/m, ''));
  // Keep indented text as it is.
  return details
    .filter((part) => part !== '')
    .map((part) => (/^ {2}/m.test(part) ? `\`\`\`\n${part}\n\`\`\`` : part));
}

function blocks(parts) {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function read() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return undefined;
  }
}
