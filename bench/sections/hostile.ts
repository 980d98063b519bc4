import {
  type ApiOperation,
  apiOperations,
  hostileBodies,
  ordinaryBody,
} from '../../test/support/hostile-requests.js';
import { shown } from '../figures.js';
import { startProbe } from '../probe-thread.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { userCount } from '../users.js';

const blockMaxMs = 50;
const aboveIdleMaxMb = 150;
const healthMaxMs = 100;
const bodyBytes = 64 * 1024 - 1_024;
const listBytes = 16 * 1024 * 1024 - 64 * 1024;
const quickListBytes = 1024 * 1024;
const concurrency = 8;
const samplePauseMs = 10;

interface Request {
  readonly shape: string;
  run(): Promise<unknown>;
}

/** The worst results of some requests. */
interface Worst {
  readonly requests: number;
  /** The longest time, in ms, for which a request blocked the event loop, excluding waits for a core. */
  readonly block: number;
  readonly blockedBy: string;
  /** Resident memory above idle, in MB; undefined if it cannot be read. */
  readonly memory: number | undefined;
  /** The slowest /healthz, in ms. */
  readonly health: number;
}

interface Measured {
  readonly operation: string;
  readonly bytes: number;
  readonly ordinary: Worst;
  readonly hostile: Worst;
  /** Several at once, only for operations with large bodies. */
  readonly concurrent: Worst | undefined;
}

export async function hostile(stage: Stage): Promise<Section> {
  const service = await stage.startService({
    databaseUrl: await stage.users(userCount),
    environment: {
      ROLLCALL_SIGN_IN_FREE_FAILURES: '1000000',
      ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
      ROLLCALL_SIGN_IN_REQUESTS_PER_MINUTE_MAX: '0',
      ROLLCALL_TOKEN_REQUESTS_PER_MINUTE_MAX: '0',
    },
  });
  await service.watchLoop();
  const measured: Measured[] = [];
  for (const operation of apiOperations().filter(({ type }) => type !== 'none')) {
    progress(operation.id);
    const longest = stage.options.quick ? quickListBytes : listBytes;
    measured.push(await measure(service, operation, operation.list === undefined ? bodyBytes : longest));
  }
  await service.stop();
  return reportOf(measured);
}

async function measure(service: Service, operation: ApiOperation, bytes: number): Promise<Measured> {
  const ordinary = [{ shape: 'ordinary', bytes: ordinaryBody(operation, bytes) }];
  // Compilation and caching for the first request must not count.
  await send(service, operation, ordinaryBody(operation, 1_000));
  await service.collectGarbage();
  const idle = service.residentMb();
  const requests = [1, 2, 3].flatMap(() => ordinary);
  const usual = await worstOf(
    service,
    idle,
    requests.map(({ shape, bytes }) => ({ shape, run: () => send(service, operation, bytes) })),
  );
  const bodies = hostileBodies(operation, bytes);
  const oneByOne = bodies.map(({ shape, bytes }) => ({ shape, run: () => send(service, operation, bytes) }));
  const bytesOf = (place: number) => (bodies[place % bodies.length] as { bytes: Buffer }).bytes;
  const together = {
    shape: `${concurrency} at the same time`,
    run: () =>
      Promise.all(
        Array.from({ length: concurrency }, (_, place) => send(service, operation, bytesOf(5 * place))),
      ),
  };
  await service.collectGarbage();
  const hostile = await worstOf(service, idle, oneByOne);
  await service.collectGarbage();
  const concurrent = operation.list === undefined ? undefined : await worstOf(service, idle, [together]);
  return { operation: operation.id, bytes, ordinary: usual, hostile, concurrent };
}

async function worstOf(service: Service, idle: number | undefined, work: readonly Request[]): Promise<Worst> {
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, service.residentMb() ?? 0);
  }, samplePauseMs);
  const stopProbe = await startProbe({ url: service.url, token: '', path: '/healthz' });
  let [block, blockedBy] = [0, ''];
  for (const { shape, run } of work) {
    await service.longestHalt(); // ignores what came before
    await run().catch((error) => {
      throw new Error(`no reply to ${shape}`, { cause: error });
    });
    const { held } = await service.longestHalt();
    if (held > block) [block, blockedBy] = [held, shape];
  }
  const health = (await stopProbe()).at(-1) ?? 0;
  clearInterval(sampling);
  return {
    requests: work.length,
    block,
    blockedBy,
    memory: idle === undefined ? undefined : peak - idle,
    health,
  };
}

async function send(service: Service, { method, path, type }: ApiOperation, bytes: Buffer): Promise<void> {
  const reply = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      'content-type': type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
      authorization: `Bearer ${service.token}`,
    },
    body: bytes as unknown as ArrayBuffer, // a typed array is a valid body too
  });
  for await (const _ of reply.body ?? []);
  if (reply.status >= 500) throw new Error(`${method} ${path} returned ${reply.status}`);
}

function reportOf(measured: readonly Measured[]): Section {
  const worst = (value: (worst: Worst) => number) =>
    measured.toSorted((a, b) => value(b.hostile) - value(a.hostile))[0] as Measured;
  const blocked = worst(({ block }) => block);
  const largest = worst(({ memory }) => memory ?? 0);
  const slowest = worst(({ health }) => health);
  const cell = (value: number | undefined) => (value === undefined ? '' : shown(value));
  return {
    title: 'Hostile bodies',
    intro: `Every operation that accepts a body, with the worst bodies of the maximum size: deep, wide, duplicated, long, full of combining marks, numbers
and escapes, in every field, one at a time. They are compared with an ordinary body of the same size, sent three times; lists also receive
${concurrency} hostile bodies at once.`,
    tables: [
      {
        caption: 'Worst case of all bodies; ordinary body in parentheses',
        head: [
          'operation',
          'bytes',
          'bodies',
          'event loop blocked, ms',
          'by',
          'above idle, MB',
          '/healthz, ms',
        ],
        rows: measured.map(({ operation, bytes, ordinary, hostile }) => [
          operation,
          bytes.toLocaleString('en'),
          String(hostile.requests),
          `${shown(hostile.block)} (${shown(ordinary.block)})`,
          hostile.blockedBy,
          `${cell(hostile.memory)} (${cell(ordinary.memory)})`,
          `${shown(hostile.health)} (${shown(ordinary.health)})`,
        ]),
      },
      {
        caption: `${concurrency} concurrent hostile bodies`,
        head: ['operation', 'total bytes', 'event loop blocked, ms', 'above idle, MB', '/healthz, ms'],
        rows: measured.flatMap(({ operation, bytes, concurrent }) =>
          concurrent === undefined
            ? []
            : [
                [
                  operation,
                  (bytes * concurrency).toLocaleString('en'),
                  shown(concurrent.block),
                  cell(concurrent.memory),
                  shown(concurrent.health),
                ],
              ],
        ),
      },
    ],
    notes: [],
    targets: [
      {
        target: `no body blocks the event loop for more than ${blockMaxMs} ms`,
        measured: `${shown(blocked.hostile.block)} ms (${blocked.operation}: ${blocked.hostile.blockedBy})`,
        met: blocked.hostile.block <= blockMaxMs,
      },
      {
        target: `no body uses more than ${aboveIdleMaxMb} MB above idle`,
        measured: `${cell(largest.hostile.memory)} MB (${largest.operation})`,
        met: largest.hostile.memory === undefined ? undefined : largest.hostile.memory <= aboveIdleMaxMb,
      },
      {
        target: `/healthz answers within ${healthMaxMs} ms`,
        measured: `${shown(slowest.hostile.health)} ms (${slowest.operation})`,
        met: slowest.hostile.health <= healthMaxMs,
      },
    ],
    data: measured,
  };
}
