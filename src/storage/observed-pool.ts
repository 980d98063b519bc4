import { SpanKind } from '@opentelemetry/api';
import type pg from 'pg';
import { type Metrics, secondsSince } from '../telemetry/metrics.js';
import { currentTracer, isWithinSpan, markFailed } from '../telemetry/tracing.js';

type Callback = (error: unknown, ...rest: unknown[]) => void;
type Method = (...parameters: unknown[]) => unknown;

/**
 * Times and traces the statements of a pool, and the waits for its connections. Statements are known by their name;
 * texts and values are never looked at, except for the command of a statement without a name.
 */
export function observePool(pool: pg.Pool, metrics: Metrics | undefined): void {
  const observedClients = new WeakSet<object>();
  // Not on `connect`: the connection to the embedded database is already open.
  pool.on('acquire', (client) => {
    if (observedClients.has(client)) return;
    observedClients.add(client);
    observeClient(client, metrics);
  });
  if (!metrics) return;
  const connect = pool.connect.bind(pool) as Method;
  const observed: Method = (callback) => {
    const start = performance.now();
    return settled(connect, callback === undefined ? [] : [callback], () =>
      metrics.connectionWait(secondsSince(start)),
    );
  };
  Object.assign(pool, { connect: observed });
}

function observeClient(client: pg.PoolClient, metrics: Metrics | undefined): void {
  const query = client.query.bind(client) as Method;
  const observed: Method = (...parameters) => {
    const name = statementName(parameters[0]);
    const start = performance.now();
    const span = startSpan(name);
    return settled(query, parameters, (error) => {
      metrics?.statement(name, secondsSince(start));
      if (error !== undefined && span) markFailed(span, error);
      span?.end();
    });
  };
  Object.assign(client, { query: observed });
}

/** Background work that polls the database is not worth a trace. */
function startSpan(name: string) {
  if (!isWithinSpan()) return undefined;
  return currentTracer()?.startSpan(`sql ${name}`, {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': name },
  });
}

/** Calls a function that takes a callback or returns a promise, and tells when and how it ends. */
function settled(work: Method, parameters: unknown[], end: (error?: unknown) => void): unknown {
  const last = parameters.at(-1);
  if (typeof last === 'function') {
    const callback: Callback = (error, ...rest) => {
      end(error ?? undefined);
      (last as Callback)(error, ...rest);
    };
    return work(...parameters.slice(0, -1), callback);
  }
  const result = work(...parameters);
  if (!(result instanceof Promise)) {
    end();
    return result;
  }
  result.then(() => end(), end);
  return result;
}

const commands = new Set([
  ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SET', 'SHOW', 'LOCK'],
  ...['CREATE', 'ALTER', 'DROP', 'VACUUM', 'ANALYZE', 'CHECKPOINT', 'TRUNCATE', 'COPY', 'DECLARE', 'FETCH'],
]);

/** Some names end with a number that stands for a combination of fields. There are hundreds of those. */
export function statementName(statement: unknown): string {
  const { name, text } = typeof statement === 'string' ? { text: statement } : nameAndText(statement);
  if (name !== undefined) return name.replace(/-\d*$/, '');
  const command = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? '';
  return commands.has(command) ? command : 'other';
}

function nameAndText(statement: unknown): { readonly name?: string; readonly text: string } {
  const { name, text } = Object(statement) as { name?: unknown; text?: unknown };
  return {
    ...(typeof name === 'string' ? { name } : {}),
    text: typeof text === 'string' ? text : '',
  };
}
