import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFiles } from '../support/prepared-examples.js';
import { useOwnService } from '../support/service.js';
import { openShell } from '../support/shell.js';
import { sendsNoWebhooks } from '../support/webhooks.js';

/** The later ones build on the earlier ones. */
const documents = ['README.md', 'docs/api.md', 'docs/events.md']
  .map((name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
  .join('\n');

/** Blocks that install, start or test Rollcall itself, or need other machines. */
const notHere = /^(?:npm |npx openapi|DATABASE_URL=postgres:\/\/rollcall:secret@db\.internal)/;

/** All indented or fenced shell blocks, in order. */
function shellBlocks(markdown: string): string[] {
  const setIn = markdown.matchAll(/(?<=\n\n)(?: {4}.*\n(?:\n(?= {4}))?)+/g);
  const fenced = markdown.matchAll(/^```(?:sh|bash)\n(.*?)^```$/gms);
  return [
    ...[...setIn].map((found) => ({ at: found.index, text: found[0].replace(/^ {4}/gm, '') })),
    ...[...fenced].map((found) => ({ at: found.index, text: found[1] ?? '' })),
  ]
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text);
}

/** Fails on error responses, but not on a timeout, which ends an event stream. */
const strictCurl = 'curl() { command curl --fail-with-body "$@" || [ $? -eq 28 ]; }';

describe('the README and the documents about the API', () => {
  const service = useOwnService(sendsNoWebhooks);

  test('can be pasted into a shell, one after the other', async () => {
    const blocks = shellBlocks(documents).filter((block) => !notHere.test(block));
    const commands = [...documents.matchAll(/^(?: {4,})?(?:npx rollcall|rollcall|curl) /gm)].length;
    const taken = blocks.join('\n').match(/^ *(?:npx rollcall|rollcall|curl) /gm)?.length ?? 0;
    expect(taken, 'every line with a command is in a block').toBe(commands);
    expect(taken).toBeGreaterThan(3);

    const shell = openShell({});
    const credentials = 'first-credentials.json';
    cpSync(join(service.dataDir, credentials), join(shell.home, 'data', credentials));
    await writeFiles(shell.home, service);
    const here = blocks.map((block) =>
      block
        .replaceAll(/(?:http:\/\/)?localhost:8080/g, service.url)
        .replaceAll(/^npx rollcall /gm, 'rollcall '),
    );
    const { code, output } = await shell.run([strictCurl, ...here]).ended;
    expect(code, output).toBe(0);
  });
});
