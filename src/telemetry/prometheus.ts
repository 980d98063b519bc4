import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../contract/version.js';
import type { Metrics } from './metrics.js';

/** Read when the metrics are scraped. */
export interface ProcessState {
  readonly connections: { readonly total: number; readonly idle: number; readonly waiting: number };
  readonly hashes: { readonly running: number; readonly waiting: number };
  readonly bulkCallsRunning: number;
  /** The change up to which this process follows the log. */
  readonly followedTo: number;
}

const requestBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const phaseBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const statementBuckets = [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5];
const waitBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10];

/** More than there are statements with a name; the rest would be a mistake. */
const statementsMax = 200;

/** The metrics of this process, in a registry of its own. */
export function openMetrics(): { readonly metrics: Metrics; readonly registry: Registry } {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'rollcall_build_info',
    help: 'Always 1; the label is the version of Rollcall.',
    labelNames: ['version'],
    registers,
    aggregator: 'max',
  }).set({ version }, 1);
  const requests = new Counter({
    name: 'rollcall_http_requests_total',
    help: 'Requests answered, by route pattern, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'rollcall_http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['route', 'method'],
    buckets: requestBuckets,
    registers,
  });
  const bulkItems = new Counter({
    name: 'rollcall_bulk_items_total',
    help: 'Items of bulk calls, by operation and outcome. Previews are not counted.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const bulkPhases = new Histogram({
    name: 'rollcall_bulk_phase_seconds',
    help: 'Duration of the phases of bulk calls: parse, plan (per chunk), chunk (its transaction), report.',
    labelNames: ['phase'],
    buckets: phaseBuckets,
    registers,
  });
  const retries = new Counter({
    name: 'rollcall_bulk_chunk_retries_total',
    help: 'Chunks planned again because users changed meanwhile, with (conflict) or without locks (lost-race).',
    labelNames: ['reason'],
    registers,
  });
  const statements = new Histogram({
    name: 'rollcall_database_statement_seconds',
    help: 'Duration of SQL statements, by name, or by command if they have none.',
    labelNames: ['statement'],
    buckets: statementBuckets,
    registers,
  });
  const connectionWaits = new Histogram({
    name: 'rollcall_database_connection_wait_seconds',
    help: 'Time spent waiting for a database connection.',
    buckets: waitBuckets,
    registers,
  });
  const hashWaits = new Histogram({
    name: 'rollcall_password_hash_wait_seconds',
    help: 'Time that passwords waited to be hashed.',
    buckets: waitBuckets,
    registers,
  });
  const signIns = new Counter({
    name: 'rollcall_sign_ins_total',
    help: 'Attempts to sign in, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const messages = new Counter({
    name: 'rollcall_delivery_attempts_total',
    help: 'Attempts to send a message to a user, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const webhookMessages = new Counter({
    name: 'rollcall_webhook_attempts_total',
    help: 'Attempts to send a message to a webhook, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const scimPushes = new Counter({
    name: 'rollcall_scim_pushes_total',
    help: 'Attempts to push a user or a group to a SCIM target, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const statementNames = new LabelSet(statementsMax);
  return {
    registry,
    metrics: {
      request: ({ route, method, status }, seconds) => {
        requests.inc({ route, method, status });
        requestSeconds.observe({ route, method }, seconds);
      },
      bulkItems: (operation, { succeeded, failed }) => {
        if (succeeded > 0) bulkItems.inc({ operation, outcome: 'succeeded' }, succeeded);
        if (failed > 0) bulkItems.inc({ operation, outcome: 'failed' }, failed);
      },
      bulkPhase: (phase, seconds) => bulkPhases.observe({ phase }, seconds),
      chunkRetry: (reason) => retries.inc({ reason }),
      statement: (name, seconds) => statements.observe({ statement: statementNames.labelOf(name) }, seconds),
      connectionWait: (seconds) => connectionWaits.observe(seconds),
      hashWait: (seconds) => hashWaits.observe(seconds),
      signIn: (outcome) => signIns.inc({ outcome }),
      message: (outcome) => messages.inc({ outcome }),
      scimPush: (outcome) => scimPushes.inc({ outcome }),
      webhookMessage: (outcome) => webhookMessages.inc({ outcome }),
    },
  };
}

/** Adds gauges that are read from the process when it is scraped. */
export function observeProcess(registry: Registry, read: () => ProcessState): void {
  const registers = [registry];
  new Gauge({
    name: 'rollcall_database_connections',
    help: 'Connections in use and idle, and requests waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = read().connections;
      this.set({ state: 'used' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'rollcall_password_hashes',
    help: 'Passwords being hashed, and waiting for it.',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = read().hashes;
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'rollcall_bulk_calls_running',
    help: 'Bulk calls in progress.',
    registers,
    collect() {
      this.set(read().bulkCallsRunning);
    },
  });
  new Gauge({
    name: 'rollcall_changes_followed',
    help: 'The number up to which this node has followed the change log.',
    registers,
    aggregator: 'min',
    collect() {
      this.set(read().followedTo);
    },
  });
}

/** Limits how many values a label can have. */
export class LabelSet {
  readonly #known = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** The value itself, or `other` if there are too many already. */
  labelOf(value: string): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= this.#max) return 'other';
    this.#known.add(value);
    return value;
  }
}
