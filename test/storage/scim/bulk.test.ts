import { expect, inject, test } from 'vitest';
import { givenEntry } from '../../support/directories.js';
import { enterprise, givenScimProvider, type ScimProvider } from '../../support/scim.js';
import { newId, useOwnService } from '../../support/service.js';

/** Of two organizations, one is unknown, so that operations fail only when their users are written. */
const service = useOwnService({ ROLLCALL_DIRECTORIES: 'strict' });

/** What requests depend on besides the users. */
interface Rules {
  readonly settings: object;
  readonly passwords: boolean;
}

const usual: Rules = { settings: {}, passwords: false };
const variants: readonly Rules[] = [
  usual,
  { ...usual, settings: { onDelete: 'erase' }, passwords: true },
  { ...usual, settings: { visibleUsers: 'own' } },
];

/** An operation with placeholders: `#` stands for the prefix of a world, `@3` for the ID of its fourth initial user. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly bulkId?: string;
  readonly data?: unknown;
}

function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}

const initialUsers = 4;

function operationsOf(seed: number, count: number, { passwords }: Rules): Operation[] {
  const below = random(seed);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const created: string[] = [];
  const groups: string[] = [];
  const name = () => oneOf(['#n1', '#n2', '#n3', '#n4@x.example', '#n5@x.example', '#N1', '#n6']);
  const number = () => `#e${below(7)}`;
  const manager = () =>
    oneOf([`@${below(initialUsers)}`, number(), `bulkId:${oneOf(created.length > 0 ? created : ['none'])}`]);
  const target = () =>
    created.length > 0 && below(3) === 0 ? `bulkId:${oneOf(created)}` : `@${below(initialUsers + 1)}`;
  const user = () => ({
    userName: name(),
    displayName: oneOf(['Ada', 'Bob', 'Cyd']),
    emails: [{ value: 'someone@x.example', type: 'work' }],
    ...(below(3) === 0 && { externalId: `#x${below(4)}` }),
    ...(below(8) === 0 && { active: false }),
    ...(passwords && below(4) === 0 && { password: 'correct horse battery' }),
    [enterprise]: {
      ...(below(6) === 0 && { organization: oneOf(['#O1', '#O2']) }),
      employeeNumber: number(),
      ...(below(3) === 0 && { manager: { value: manager() } }),
    },
  });
  const member = () => ({ value: target() });
  const groupChange = () =>
    oneOf([
      { op: 'add', path: 'members', value: [member(), member()] },
      { op: 'remove', path: `members[value eq "${target()}"]` },
      { op: 'replace', path: 'members', value: [member()] },
      { op: 'replace', path: 'displayName', value: oneOf(['#G1', '#G2']) },
      { op: 'remove', path: 'displayName' },
    ]);
  const groupOperation = (index: number): Operation => {
    const group = below(3) > 0 ? groups.at(-1) : undefined;
    if (group !== undefined) {
      const path = `/Groups/bulkId:${group}`;
      return below(6) === 0
        ? { method: 'DELETE', path }
        : { method: 'PATCH', path, data: { Operations: [groupChange()] } };
    }
    groups.push(`g${index}`);
    const data = { displayName: `#G${below(4)}`, members: [member()] };
    return { method: 'POST', path: '/Groups', bulkId: `g${index}`, data };
  };
  const change = () =>
    oneOf([
      { op: 'replace', path: 'userName', value: name() },
      { op: 'Replace', path: `${enterprise}:employeeNumber`, value: number() },
      { op: 'replace', path: 'active', value: oneOf(['False', true]) },
      { op: 'replace', value: { displayName: oneOf(['Dan', 'Eve']) } },
      { op: 'add', path: `${enterprise}:manager`, value: { value: manager() } },
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'x' },
      { op: 'remove', path: 'emails' },
      { op: 'burn' },
      ...(passwords ? [{ op: 'replace', path: 'password', value: 'staple gun orbit' }] : []),
    ]);
  return Array.from({ length: count }, (_, index): Operation => {
    if (below(6) === 0) return groupOperation(index);
    const kind = below(10);
    if (kind < 4) {
      const operation = { method: 'POST', path: '/Users', bulkId: `b${index}`, data: user() };
      created.push(`b${index}`);
      return operation;
    }
    const path = `/Users/${target()}`;
    if (kind < 6) return { method: 'PUT', path, data: user() };
    if (kind < 9) return { method: 'PATCH', path, data: { Operations: [change()] } };
    return { method: 'DELETE', path };
  });
}

interface World {
  readonly client: ScimProvider;
  readonly prefix: string;
  readonly ids: readonly string[];
}

async function world({ settings }: Rules): Promise<World> {
  const client = await givenScimProvider(service, {
    ...{ kind: 'other', employeeId: 'reject', deactivationPercent: 0 },
    ...settings,
  });
  const prefix = newId('w').replace(/[^A-Za-z0-9]/g, '');
  await givenEntry(service, 'organizations', `${prefix}O1`);
  const ids: string[] = [];
  for (let each = 0; each < initialUsers; each++) {
    const reply = await client.send('POST', '/Users', {
      userName: `${prefix}i${each}`,
      emails: [{ value: 'someone@x.example' }],
      [enterprise]: { employeeNumber: `${prefix}e${each}` },
    });
    expect(reply.status, reply.text).toBe(201);
    ids.push(reply.json.id);
  }
  return { client, prefix, ids: [...ids, '00000000-0000-7000-8000-000000000000'] };
}

function inWorld<T>(value: T, { prefix, ids }: World): T {
  const text = JSON.stringify(value)
    .replaceAll('#', prefix)
    .replace(/@(\d)/g, (_, at) => ids[Number(at)] as string);
  return JSON.parse(text) as T;
}

/** Such an operation can't be sent alone. It may fail for another reason first. */
const referenceFailed = 0;

interface Outcome {
  readonly status: number;
  readonly scimType?: string;
  readonly version?: string | undefined;
}

async function oneByOne(operations: readonly Operation[], world: World): Promise<Outcome[]> {
  const created = new Map<string, string | null>([['none', null]]);
  const outcomes: Outcome[] = [];
  for (const { method, path, bulkId, data } of inWorld(operations, world)) {
    const text = JSON.stringify({ path, data });
    const referred = [...text.matchAll(/bulkId:(\w+)/g)].map(([, each]) => each as string);
    if (referred.some((each) => created.get(each) === null)) {
      outcomes.push({ status: referenceFailed });
      if (bulkId) created.set(bulkId, null);
      continue;
    }
    const known = JSON.parse(text.replace(/bulkId:(\w+)/g, (all, each) => created.get(each) ?? all));
    const reply = await world.client.send(method, known.path, known.data);
    if (bulkId) created.set(bulkId, reply.status === 201 ? reply.json.id : null);
    const status = method === 'PATCH' && reply.status === 204 ? 200 : reply.status;
    const { scimType } = reply.status >= 400 ? reply.json : {};
    const version = reply.headers.get('etag') ?? undefined;
    outcomes.push({ status, ...(scimType && { scimType }), ...(status < 300 && { version }) });
  }
  return outcomes;
}

async function inBulk(operations: readonly Operation[], world: World): Promise<Outcome[]> {
  const reply = await world.client.bulk(inWorld(operations, world));
  expect(reply.status, reply.text).toBe(200);
  return reply.json.Operations.map(
    ({ status, version, response }: { status: string; version?: string; response?: Outcome }) => ({
      status: Number(status),
      ...(response?.scimType && { scimType: response.scimType }),
      ...(Number(status) < 300 && { version }),
    }),
  );
}

/** Everything stored about the users of a world, with names and IDs replaced. */
async function usersIn({ prefix, client }: World): Promise<unknown[]> {
  const { rows } = await service.database.pool.query(
    `SELECT users.employee_id, users.name, users.username, users.sign_in_name, users.email, users.is_active, users.version, cardinality(users.tag_serials) AS tags, users.organization_serial AS organization,
            EXISTS (SELECT FROM credentials WHERE user_serial = users.serial) AS password,
            manager.employee_id AS manager, users.scim::text AS scim
     FROM users LEFT JOIN users AS manager ON manager.serial = users.manager_serial
     WHERE users.employee_id LIKE $1 ORDER BY users.employee_id`,
    [`${prefix}%`],
  );
  const text = JSON.stringify(rows).replaceAll(prefix, '#').replaceAll(prefix.toLowerCase(), '#');
  return JSON.parse(text.replaceAll(client.clientId, 'client')) as unknown[];
}

const runs = inject('engine') === 'embedded' ? variants.length : 2 * variants.length;

test.for(Array.from({ length: runs }, (_, seed) => seed))(
  'operations %i have the outcomes of single requests',
  async (seed) => {
    const rules = variants[seed % variants.length] ?? usual;
    const operations = operationsOf(seed, 12 + (seed % 3) * 12, rules);
    const [one, other] = [await world(rules), await world(rules)];
    const expected = await oneByOne(operations, one);
    const outcomes = await inBulk(operations, other);
    const shown = operations.map(
      (each, at) => `${at} ${JSON.stringify(each)} ${JSON.stringify(expected[at])}`,
    );
    const plain = (list: readonly Outcome[]) =>
      list.map(({ status, scimType = '', version = '' }, at) => {
        if (expected[at]?.status === referenceFailed && status !== referenceFailed)
          return `${at} ${status < 400}`;
        if (status === referenceFailed) return `${at} false`;
        // Of several reasons that conflict with something, either may be reported.
        return `${at} ${status} ${status === 409 ? '' : scimType} ${operations[at]?.method === 'DELETE' ? '' : version}`;
      });
    expect(plain(outcomes), shown.join('\n')).toEqual(plain(expected));
    expect(await usersIn(other), shown.join('\n')).toEqual(await usersIn(one));
  },
);
