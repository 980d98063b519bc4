import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newId, useService } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const service = useService();
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Only releases need these generators, so `npm run test:release` installs them, and `npm ci` doesn't. */
const generators = fileURLToPath(new URL('node_modules', import.meta.url));

/** Calls both operations of the contract with each client. Its types must not need a single cast. */
const program = `
import createClient from 'openapi-fetch';
import type { paths } from './types.js';
import { client } from './hey/client.gen.js';
import * as hey from './hey/sdk.gen.js';
import * as orval from './orval/client.js';
import { createUserBody, updateUsersBulkResponse } from './orval/schemas.js';

interface Outcome { created: string; updated: string; failed: number; payload: unknown }

const [baseUrl = '', token = '', ...employeeIDs] = process.argv.slice(2);
const headers = { authorization: 'Bearer ' + token };

const newUser = (employeeID: string) => ({ employeeID, name: 'Ada', email: 'ada@example.com', isActive: true });
const items = (employeeID: string) => [
  { employeeID, name: 'Ada King', isActive: true },
  { employeeID: employeeID + 'x', name: 'Nobody', isActive: true, organizationSerial: 'ORG7' },
];

interface Report {
  successItems: { response: { serial: string } }[];
  failedItems: { payload: unknown; error: { errorCode: number } }[];
}
function outcome(created: string, { successItems, failedItems }: Report): Outcome {
  const [succeeded, failed] = [successItems[0], failedItems[0]];
  if (!succeeded || !failed) throw new Error('an item is missing');
  return { created, updated: succeeded.response.serial, failed: failed.error.errorCode, payload: failed.payload };
}

async function openapiTypescript(employeeID: string): Promise<Outcome> {
  const rollcall = createClient<paths>({ baseUrl, headers });
  const created = await rollcall.POST('/service/users', { body: newUser(employeeID) });
  const updated = await rollcall.POST('/service/users/update-bulk', { body: { items: items(employeeID) } });
  if (!created.data || !updated.data) throw new Error('a request failed');
  return outcome(created.data.data.serial, updated.data.data);
}

async function heyApi(employeeID: string): Promise<Outcome> {
  client.setConfig({ baseUrl, headers });
  const created = await hey.createUser({ body: newUser(employeeID) });
  const updated = await hey.updateUsersBulk({ body: { items: items(employeeID) } });
  if (!created.data || !updated.data) throw new Error('a request failed');
  return outcome(created.data.data.serial, updated.data.data);
}

async function orvalWithZod(employeeID: string): Promise<Outcome> {
  const created = await orval.createUser(createUserBody.parse(newUser(employeeID)), {}, { headers });
  const updated = await orval.updateUsersBulk({ items: items(employeeID) }, {}, { headers });
  if (created.status !== 201 || updated.status !== 200) throw new Error('a request failed');
  return outcome(created.data.data.serial, updatesOf(updated.data));
}
function updatesOf(report: unknown) {
  return updateUsersBulkResponse.parse(report).data;
}

const [first = '', second = '', third = ''] = employeeIDs;
const outcomes = [await openapiTypescript(first), await heyApi(second), await orvalWithZod(third)];
console.log(JSON.stringify(outcomes));
`;

const compilerOptions = {
  strict: true,
  target: 'ES2022',
  module: 'NodeNext',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  skipLibCheck: true,
};

function orvalConfig(baseUrl: string) {
  const input = './openapi.json';
  return {
    client: { input, output: { target: './orval/client.ts', client: 'fetch', baseUrl } },
    schemas: { input, output: { target: './orval/schemas.ts', client: 'zod' } },
  };
}

/** Takes 16 s of processor time, half of it in the compiler. */
test('clients by openapi-typescript, Hey API and Orval compile, and can call the operations of the contract', async () => {
  const directory = temporaryDirectory();
  const run = async (command: string, ...args: string[]) => {
    const { stdout } = await promisify(execFile)(command, args, { cwd: directory });
    return stdout;
  };
  const ours = (name: string) => join(root, 'node_modules/.bin', name);
  const theirs = (name: string) => join(generators, '.bin', name);
  for (const file of ['openapi.json', 'openapi-contract.json'])
    copyFileSync(join(root, file), join(directory, file));
  symlinkSync(generators, join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  writeFileSync(
    join(directory, 'orval.config.cjs'),
    `module.exports = ${JSON.stringify(orvalConfig(service.url))}`,
  );
  writeFileSync(join(directory, 'program.ts'), program);

  // Our own client is made of openapi.json.
  await run(ours('openapi-typescript'), 'openapi-contract.json', '--output', 'types.ts');
  await run(theirs('openapi-ts'), '--input', 'openapi.json', '--output', 'hey', '--no-log-file');
  await run(theirs('orval'), '--config', 'orval.config.cjs');
  await run(ours('tsc'));

  const employeeIDs = [newId('E'), newId('E'), newId('E')];
  const printed = await run(process.execPath, 'program.js', service.url, service.token, ...employeeIDs);
  const outcomes = JSON.parse(printed);
  for (const [index, employeeID] of employeeIDs.entries()) {
    const { created, updated, failed, payload } = outcomes[index];
    expect(await service.readUser(created)).toMatchObject({ employeeID, name: 'Ada King' });
    expect(updated).toBe(created);
    expect(failed).toBe(10102);
    expect(payload).toEqual({ employeeID: `${employeeID}x`, name: 'Nobody', isActive: true });
  }
});
