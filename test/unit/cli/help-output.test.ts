import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.js';
import { rollcall } from '../../support/command.js';
import { inPseudoTerminal } from '../../support/command-process.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
/** Starts a color sequence. */
const csi = '\u001b[';

/** None of this needs a service, so there is no need to run on both engines. */
describe('invalid command line', () => {
  test.each<[args: string[], ...told: string[]]>([
    [['serv'], "unknown command 'serv'\n(Did you mean serve?)\n"],
    [['keys', 'rotat'], "unknown command 'rotat'\n(Did you mean rotate?)\n"],
    [['help', 'keys', 'rotat'], "unknown command 'rotat'\n(Did you mean rotate?)\n"],
    [['serve', '--prot', '9000'], "unknown option '--prot'\n(Did you mean --port?)\n"],
    [['keys', 'rotate', '--revok-old'], "unknown option '--revok-old'\n(Did you mean --revoke-old?)\n"],
    [['keys', 'rotate', 'now'], "too many arguments for 'rotate'. Expected 0 arguments but got 1.\n"],
    [['serve', '--port'], "option '--port <number>' argument missing\n"],
  ])('%j exits with 2 and explains the mistake on stderr', async (args, told) => {
    expect(await rollcall(args)).toEqual({ code: 2, stdout: '', stderr: told });
  });

  test('with --json is explained as JSON', async () => {
    const { code, stdout, stderr } = await rollcall(['users', 'list', '--rol', 'viewer', '--json']);
    expect([code, stdout]).toEqual([2, '']);
    const message = "unknown option '--rol' (Did you mean --role?)";
    expect(JSON.parse(stderr)).toEqual({ error: { exit: 'wrongUse', message } });
  });

  test('a missing command prints the help on stderr and exits with 2', async () => {
    const [none, keys] = await Promise.all([rollcall([]), rollcall(['keys'])]);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toMatch(/^Usage: rollcall \[options\] \[command\]\n/);
    expect(keys).toMatchObject({ code: 2, stdout: '' });
    expect(keys.stderr).toMatch(/^Usage: rollcall keys \[options\] \[command\]\n/);
  });
});

describe('help', () => {
  test('goes to stdout when requested, with --help or the help command', async () => {
    const [flag, command, group, version] = await Promise.all([
      rollcall(['keys', 'rotate', '--help']),
      rollcall(['help', 'keys', 'rotate']),
      rollcall(['help', 'keys']),
      rollcall(['--version']),
    ]);
    expect(flag).toMatchObject({ code: 0, stderr: '' });
    expect(flag.stdout).toContain('Usage: rollcall keys rotate');
    expect(flag.stdout).toContain('  $ DATABASE_URL=$DATABASE_URL rollcall keys rotate --revoke-old\n');
    expect(command).toEqual(flag);
    expect(group).toMatchObject({ code: 0, stderr: '' });
    expect(group.stdout).toContain('Usage: rollcall keys [options] [command]');
    expect(version).toMatchObject({ code: 0, stderr: '' });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('of serve lists settings as flags, common ones first, and warns about secrets in arguments', () => {
    const help = buildProgram()
      .commands.find((command) => command.name() === 'serve')
      ?.helpInformation();
    const text = help?.replace(/\s+/g, ' ') ?? '';
    expect(text).toMatch(
      /Settings: .*--port <number> .*More settings: .*--issuers-file <file> .*Limits: .*--bulk-items-max <number>/,
    );
    expect(text).toContain('Port to listen on. 0 picks a free port. (default: 8080)');
    expect(text).toContain('Arguments are visible to other users: prefer SMTP_URL or --smtp-url-file.');
    expect(text, 'no Markdown').not.toMatch(/`|\]\(/);
  });

  test('every command has a description, and an example unless it is a group, help or internal', () => {
    const all = (command: ReturnType<typeof buildProgram>): ReturnType<typeof buildProgram>[] => [
      command,
      ...command.commands.flatMap((child) => all(child as typeof command)),
    ];
    const [, ...commands] = all(buildProgram());
    expect(commands.filter((command) => command.description() === '').map((each) => each.name())).toEqual([]);
    const leaves = commands.filter((command) => command.commands.length === 0);
    const bare = leaves.filter((command) => command.exampleLines.length === 0).map((each) => each.name());
    expect(bare.sort()).toEqual(['complete', 'help']);
  });
});

describe('colors', () => {
  test('appear only on terminals, and not with NO_COLOR', async () => {
    const seen = inPseudoTerminal(['keys', '--help']);
    const unwanted = inPseudoTerminal(['keys', '--help'], { NO_COLOR: '1' });
    const mistaken = inPseudoTerminal(['serve', '--port', 'x']);
    const piped = rollcall(['keys', '--help']);
    expect(await seen.ended).toBe(0);
    expect(seen.screen()).toContain(`${csi}1mUsage:${csi}22m`);
    expect(await unwanted.ended).toBe(0);
    expect(unwanted.screen()).not.toContain(csi);
    expect(unwanted.screen()).toContain('Usage: rollcall keys');
    expect(await mistaken.ended).toBe(2);
    expect(mistaken.screen()).toContain(`${csi}31m✗${csi}39m Could not start:`);
    expect((await piped).stdout).not.toContain(csi);
  });
});

describe('a pipe that closes early', () => {
  test('causes no error output', async () => {
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', `set -o pipefail; '${process.execPath}' '${cli}' serve --help | head -1`],
      { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }, // bash warns about a locale that is not installed
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'Usage: rollcall serve [options]\n',
      stderr: '',
    });
    // The reader is gone before anything is written, whatever the size of the pipe.
    const child = spawn(process.execPath, [cli, 'serve', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(told).toBe('');
  });
});
