import { Argument, Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { RepeatableOption } from '../../../src/cli/arguments.js';
import { completionOf } from '../../../src/cli/completion/candidates.js';
import { buildProgram } from '../../../src/cli/program.js';

function aProgram(): Command {
  const program = new Command('rollcall').version('1.0.0', '--version');
  const people = program.command('people').alias('p').description('People.');
  people
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
  people.command('import').argument('<file>', 'a table').argument('[more-files...]');
  people.command('get').argument('<employee-id>');
  program.command('shell').addArgument(new Argument('<shell>').choices(['bash', 'fish']));
  program.command('hidden', { hidden: true });
  return program;
}

const values = (...words: string[]) => completionOf(aProgram(), words).candidates.map(({ value }) => value);
const paths = (...words: string[]) => completionOf(aProgram(), words).paths;

describe('candidates', () => {
  test.each<[words: string[], expected: string[]]>([
    [[''], ['people', 'shell', 'help']],
    [[], ['people', 'shell', 'help']],
    [['pe'], ['people']],
    [['nobody'], []],
    [['--'], ['--version', '--help']],
    [
      ['people', ''],
      ['list', 'import', 'get', 'help'],
    ],
    [['p', 'l'], ['list']],
    [
      ['people', 'list', '-'],
      ['--sort', '--colour', '--fields', '--team', '--active', '--report', '--into', '--help'],
    ],
    [['people', 'list', '--so'], ['--sort']],
    [
      ['people', 'list', '--sort', 'name', '--report', 'x', '--'],
      ['--colour', '--fields', '--team', '--active', '--into', '--help'],
    ],
    [['people', 'list', '--fields', 'name', '--fie'], ['--fields']],
    [['people', 'list', '--team', 'red', '--te'], ['--team']],
    [
      ['people', 'list', '--active', ''],
      ['true', 'false'],
    ],
    [
      ['people', 'list', '--sort', ''],
      ['name', 'newest'],
    ],
    [['people', 'list', '--sort', 'ne'], ['newest']],
    [
      ['people', 'list', '--colour', ''],
      ['always', 'never'],
    ],
    [['people', 'list', '--colour', '--s'], ['--sort']],
    [
      ['people', 'list', '--secret-way', '--sort', ''],
      ['name', 'newest'],
    ],
    [['people', 'list', 'stray', ''], []],
    [
      ['shell', ''],
      ['bash', 'fish'],
    ],
    [['shell', 'bash', ''], []],
    [
      ['help', ''],
      ['people', 'shell'],
    ],
    [
      ['help', 'people', ''],
      ['list', 'import', 'get'],
    ],
    [['people', 'import', '--', '--'], []],
  ])('after %j', (words, expected) => {
    expect(values(...words)).toEqual(expected);
  });

  test('include descriptions', () => {
    expect(completionOf(aProgram(), ['peo']).candidates).toEqual([
      { value: 'people', description: 'People.' },
    ]);
    expect(completionOf(aProgram(), ['people', 'list', '--sor']).candidates).toEqual([
      { value: '--sort', description: 'the order' },
    ]);
  });
});

describe('a value after an equals sign', () => {
  test('includes the option name if the shell passes the whole word', () => {
    expect(values('people', 'list', '--sort=')).toEqual(['--sort=name', '--sort=newest']);
    expect(values('people', 'list', '--sort=ne')).toEqual(['--sort=newest']);
    expect(values('people', 'list', '--sort=name', '--so')).toEqual([]);
  });

  test('is completed on its own if bash has split the word', () => {
    expect(values('people', 'list', '--sort', '=')).toEqual(['name', 'newest']);
    expect(values('people', 'list', '--sort', '=', 'ne')).toEqual(['newest']);
    expect(values('people', 'list', '--sort', '=', 'name', '--col')).toEqual(['--colour']);
  });
});

describe('file and directory names are left to the shell', () => {
  test.each<[words: string[], expected: string | undefined]>([
    [['people', 'import', ''], 'files'],
    [['people', 'import', 'a.csv', 'b.csv', 'c'], 'files'],
    [['people', 'import', '--', '-'], 'files'],
    [['people', 'list', '--report', ''], 'files'],
    [['people', 'list', '--report', '=', 'x'], 'files'],
    [['people', 'list', '--into', ''], 'directories'],
    [['people', 'get', ''], undefined],
    [['people', 'list', ''], undefined],
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
