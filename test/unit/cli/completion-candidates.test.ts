import { Argument, Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { RepeatableOption } from '../../../src/cli/arguments.js';
import { completionOf } from '../../../src/cli/completion/candidates.js';
import { buildProgram } from '../../../src/cli/program.js';

function aProgram(): Command {
  const program = new Command('rollcall').version('1.0.0', '--version');
  const users = program.command('users').alias('u').description('Users.');
  users
    .command('list')
    .description('List them.')
    .addOption(new Option('--sort <order>', 'the order').choices(['name', 'newest']))
    .addOption(new Option('--colour [when]', 'colours').choices(['always', 'never']))
    .option('--fields <names...>', 'fields to show')
    .addOption(new RepeatableOption('--team <name>', 'team', { max: 9 }))
    .option('--active <true|false>', 'only some')
    .option('--report <file>', 'where to write')
    .option('--into <directory>', 'where to put it')
    .addOption(new Option('--secret-way', 'not shown').hideHelp());
  users.command('import').argument('<file>', 'a table').argument('[more-files...]');
  users.command('get').argument('<employee-id>');
  program.command('shell').addArgument(new Argument('<shell>').choices(['bash', 'fish']));
  program.command('hidden', { hidden: true });
  return program;
}

const values = (...words: string[]) => completionOf(aProgram(), words).candidates.map(({ value }) => value);
const paths = (...words: string[]) => completionOf(aProgram(), words).paths;

describe('candidates', () => {
  test.each<[words: string[], expected: string[]]>([
    [[''], ['users', 'shell', 'help']],
    [[], ['users', 'shell', 'help']],
    [['us'], ['users']],
    [['nobody'], []],
    [['--'], ['--version', '--help']],
    [
      ['users', ''],
      ['list', 'import', 'get', 'help'],
    ],
    [['u', 'l'], ['list']],
    [
      ['users', 'list', '-'],
      ['--sort', '--colour', '--fields', '--team', '--active', '--report', '--into', '--help'],
    ],
    [['users', 'list', '--so'], ['--sort']],
    [
      ['users', 'list', '--sort', 'name', '--report', 'x', '--'],
      ['--colour', '--fields', '--team', '--active', '--into', '--help'],
    ],
    [['users', 'list', '--fields', 'name', '--fie'], ['--fields']],
    [['users', 'list', '--team', 'red', '--te'], ['--team']],
    [
      ['users', 'list', '--active', ''],
      ['true', 'false'],
    ],
    [
      ['users', 'list', '--sort', ''],
      ['name', 'newest'],
    ],
    [['users', 'list', '--sort', 'ne'], ['newest']],
    [
      ['users', 'list', '--colour', ''],
      ['always', 'never'],
    ],
    [['users', 'list', '--colour', '--s'], ['--sort']],
    [
      ['users', 'list', '--secret-way', '--sort', ''],
      ['name', 'newest'],
    ],
    [['users', 'list', 'stray', ''], []],
    [
      ['shell', ''],
      ['bash', 'fish'],
    ],
    [['shell', 'bash', ''], []],
    [
      ['help', ''],
      ['users', 'shell'],
    ],
    [
      ['help', 'users', ''],
      ['list', 'import', 'get'],
    ],
    [['users', 'import', '--', '--'], []],
  ])('after %j', (words, expected) => {
    expect(values(...words)).toEqual(expected);
  });

  test('include descriptions', () => {
    expect(completionOf(aProgram(), ['use']).candidates).toEqual([{ value: 'users', description: 'Users.' }]);
    expect(completionOf(aProgram(), ['users', 'list', '--sor']).candidates).toEqual([
      { value: '--sort', description: 'the order' },
    ]);
  });
});

describe('a value after an equals sign', () => {
  test('includes the option name if the shell passes the whole word', () => {
    expect(values('users', 'list', '--sort=')).toEqual(['--sort=name', '--sort=newest']);
    expect(values('users', 'list', '--sort=ne')).toEqual(['--sort=newest']);
    expect(values('users', 'list', '--sort=name', '--so')).toEqual([]);
  });

  test('is completed on its own if bash has split the word', () => {
    expect(values('users', 'list', '--sort', '=')).toEqual(['name', 'newest']);
    expect(values('users', 'list', '--sort', '=', 'ne')).toEqual(['newest']);
    expect(values('users', 'list', '--sort', '=', 'name', '--col')).toEqual(['--colour']);
  });
});

describe('file and directory names are left to the shell', () => {
  test.each<[words: string[], expected: string | undefined]>([
    [['users', 'import', ''], 'files'],
    [['users', 'import', 'a.csv', 'b.csv', 'c'], 'files'],
    [['users', 'import', '--', '-'], 'files'],
    [['users', 'list', '--report', ''], 'files'],
    [['users', 'list', '--report', '=', 'x'], 'files'],
    [['users', 'list', '--into', ''], 'directories'],
    [['users', 'get', ''], undefined],
    [['users', 'list', ''], undefined],
  ])('after %j: %s', (words, expected) => {
    expect(paths(...words)).toBe(expected);
  });
});

test('completes the real Rollcall commands', () => {
  const program = buildProgram();
  const found = (...words: string[]) => completionOf(program, words);
  expect(found('').candidates.map(({ value }) => value)).not.toContain('complete');
  expect(found('keys', 'rot').candidates.map(({ value }) => value)).toEqual(['rotate']);
  expect(found('serve', '--log-level', 'w').candidates.map(({ value }) => value)).toEqual(['warn']);
  expect(found('serve', '--data-dir', '').paths).toBe('directories');
  expect(found('serve', '--database-url-file', '').paths).toBe('files');
  expect(found('completion', 'f').candidates.map(({ value }) => value)).toEqual(['fish']);
});
