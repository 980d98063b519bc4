import { expect } from 'vitest';
import type { Environment } from '../../src/config.js';
import { newId, type Reply, type RequestOptions, type TestService } from './service.js';

/**
 * Nodes look for runs more often than usual, so that tests need not wait, and a few rows are several chunks. Even more
 * often, services that wait would use a tenth of a core each.
 */
export const eagerFeeds = {
  ROLLCALL_FEED_POLL_MS: '100',
  ROLLCALL_FEED_CHUNK_ROWS: '3',
} satisfies Environment;

/** Columns of the files of tests. */
export const columns = ['employeeID', 'name', 'email', 'phone', 'isActive', 'organizationSerial'] as const;
type Column =
  | (typeof columns)[number]
  | 'renamedFrom'
  | 'effectiveDate'
  | 'tagSerials'
  | `attributes.${string}`;
type FileRow = Readonly<Partial<Record<Column, string>>>;

/** Maps columns whose headings are the names of the fields. */
export function mappingOf(fields: readonly string[] = ['employeeID', 'name', 'email']) {
  return { columns: fields.map((field) => ({ field, columns: [field] })) };
}

/** A row of `mappingOf()`. */
export function aRow(employeeID: string, name = 'Ada', others: FileRow = {}): FileRow {
  return { employeeID, name, email: `${employeeID}@example.com`, ...others };
}

/** Rows as CSV, with a column for each field that one of them has. */
export function csvOf(rows: readonly FileRow[]): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))] as Column[];
  const lines = rows.map((row) => fields.map((field) => `"${row[field] ?? ''}"`).join(','));
  return `${[fields.join(','), ...lines].join('\n')}\n`;
}

// biome-ignore lint/suspicious/noExplicitAny: as sent
export type Run = any;

/** One feed, and what tests do with it. Its files are uploaded unless it has another source. */
export class TestFeed {
  readonly service: TestService;
  readonly key: string;

  constructor(service: TestService, key: string) {
    this.service = service;
    this.key = key;
  }

  get path(): string {
    return `/service/feeds/${this.key}`;
  }

  async read() {
    return (await this.service.get(this.path)).json.data;
  }

  patch(body: object): Promise<Reply> {
    return this.service.request('PATCH', this.path, { body });
  }

  upload(file: string | Buffer, query = '', options: RequestOptions = {}): Promise<Reply> {
    return this.service.request('PUT', `${this.path}/file${query}`, {
      ...{ rawBody: file, headers: { 'content-type': 'text/csv' } },
      ...options,
    });
  }

  /** Uploads a file, and waits until its run has ended or waits. */
  async synced(file: string | Buffer, query = ''): Promise<Run> {
    return this.settled(runOf(await this.upload(file, query)).id);
  }

  /** Starts a run, and waits until it has ended or waits. */
  async ran(body: object = {}): Promise<Run> {
    return this.settled(runOf(await this.service.post(`${this.path}/runs`, body)).id);
  }

  async run(id: string): Promise<Run> {
    return (await this.service.get(`${this.path}/runs/${id}`)).json.data;
  }

  /** The state that a run has once nothing works on it. */
  async settled(id: string): Promise<Run> {
    await expect
      .poll(async () => (await this.run(id)).state, { interval: 20 })
      .not.toMatch(/^(queued|running|undoing)$/);
    return this.run(id);
  }

  decide(id: string, action: 'approve' | 'cancel' | 'undo', token?: string, query = ''): Promise<Reply> {
    const options = token === undefined ? {} : { token };
    return this.service.request('POST', `${this.path}/runs/${id}/${action}${query}`, options);
  }

  async undone(id: string): Promise<Run> {
    const reply = await this.decide(id, 'undo');
    expect(reply.status, reply.text).toBe(202);
    return this.settled(id);
  }

  async rows(id: string, token?: string): Promise<Run[]> {
    const options = token === undefined ? {} : { token };
    return (await this.service.get(`${this.path}/runs/${id}/rows?limit=200`, options)).json.data.items;
  }

  /** Each row with what became of it, or with its problem. */
  async told(id: string): Promise<unknown[]> {
    return (await this.rows(id)).map(({ row, kind, problem }) => [row, problem?.code ?? kind]);
  }
}

/** A feed with files of `columns`. Nothing is too unusual for it, unless a test sets limits. */
export async function givenFeed(
  service: TestService,
  settings: object = {},
  options: RequestOptions = {},
): Promise<TestFeed> {
  const key = newId('f').toLowerCase();
  const feed = {
    ...{ key, name: 'Staff', source: { type: 'upload' }, mapping: mappingOf(), limits: unlimited },
    ...settings,
  };
  const reply = await service.post('/service/feeds', feed, options);
  if (reply.status !== 201) throw new Error(`the feed was not created: ${reply.text}`);
  return new TestFeed(service, key);
}

/** Files of a few rows differ from each other in most of them. */
export const unlimited = {
  ...{ learn: false, createsMax: 1_000, deactivationsMax: 1_000, reactivationsMax: 1_000 },
  ...{ renamesMax: 1_000, failuresMax: 1_000, withdrawalsMax: 1_000, changesMax: 1_000, emptiedMax: 1_000 },
};

function runOf(reply: Reply): Run {
  if (reply.status !== 202) throw new Error(`no run was started: ${reply.text}`);
  return reply.json.data;
}
