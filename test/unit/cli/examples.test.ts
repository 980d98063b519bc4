import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.js';
import { exampleCommands } from '../../support/example-commands.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

type Command = ReturnType<typeof buildProgram>;

/** What the examples refer to. */
const variables = [
  'CALL',
  'CLIENT',
  'CLIENT_TOKEN',
  'DATABASE_URL',
  'DELIVERY',
  'EMPTY_DATABASE_URL',
  'FEED_RUN',
  'FEED_WAITING',
  'PASSPHRASE',
  'PLANNED',
];
const more = ['REQUEST', 'ROLLCALL_CLIENT_ID', 'ROLLCALL_CLIENT_SECRET', 'ROLLCALL_URL', 'TARGET', 'WEBHOOK'];
const environment = Object.fromEntries([...variables, ...more].map((name) => [name, 'x']));

/** The arguments of each `rollcall` in the lines, as a shell passes them. */
function argumentsIn(lines: readonly string[]): string[][] {
  // One line at once, because both ends of a pipe write.
  const note = `rollcall() { printf '%s\\n' "$(printf '%s\\x1f' "$@")" >&3; }`;
  const told = execFileSync('bash', ['-euc', [`exec 3>&1 1>/dev/null`, note, ...lines].join('\n')], {
    cwd: temporaryDirectory(),
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return told
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\x1f').slice(0, -1));
}

/** Throws instead of exiting, and runs nothing. */
function onlyParses(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  if (command.commands.length === 0) command.action(() => {});
  for (const child of command.commands) onlyParses(child as Command);
  return command;
}

// test/release runs them.
test('every example in the help has a known command, with valid options and arguments', async () => {
  const examples = argumentsIn(exampleCommands().flatMap(({ lines }) => lines));
  expect(examples.length).toBeGreaterThan(100);
  const program = onlyParses(buildProgram());
  for (const example of examples) {
    const parsing = program.parseAsync(example, { from: 'user' });
    await expect(parsing, `rollcall ${example.join(' ')}`).resolves.toBeDefined();
  }
});
