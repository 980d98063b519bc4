import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import {
  type ClientOptions,
  clientCredentials,
  createClient,
  type Rollcall,
} from '../../client/src/index.js';
import { type ErrorName, errorCatalogue } from '../../src/contract/errors.js';
import type { Front } from '../http/client/front.js';

const secret = 'known-secret';

interface FakeReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Json = any;

/**
 * The few operations that tests of the client need, in memory: no validation, and nothing survives. What the real
 * service does is tested with the client in test/http/client.
 */
export class FakeService {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #tokens = new Set<string>();
  readonly #replies = new Map<string, FakeReply>();
  readonly #readers = new Set<() => void>();
  #lastSequence = 0;
  /** Serials by employee ID. */
  readonly users = new Map<string, string>();

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Logs events. Returns their numbers. */
  log(count: number): number[] {
    const numbers = Array.from({ length: count }, () => ++this.#lastSequence);
    for (const wake of this.#readers) wake();
    return numbers;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const body = await text(request);
    if (pathname === '/service/events' && this.#isKnown(request)) return this.#stream(request, response);
    const key = request.headers['idempotency-key'];
    const earlier = typeof key === 'string' ? this.#replies.get(key) : undefined;
    const route = `${request.method} ${pathname}`;
    const reply = earlier ?? this.#reply(route, request, searchParams, body);
    if (typeof key === 'string') this.#replies.set(key, reply);
    const replayed = earlier ? { 'idempotent-replayed': 'true' } : {};
    const headers = {
      'content-type': 'application/json',
      'x-request-id': 'r1',
      ...reply.headers,
      ...replayed,
    };
    response.writeHead(reply.status, headers).end(JSON.stringify(reply.body));
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    return this.#tokens.has(String(headers.authorization).replace('Bearer ', ''));
  }

  #reply(route: string, request: IncomingMessage, query: URLSearchParams, body: string): FakeReply {
    if (route === 'POST /oauth/token') return this.#issueToken(new URLSearchParams(body));
    if (route === 'GET /healthz') return done({});
    if (!this.#isKnown(request)) return failed('ACCESS_TOKEN_INVALID');
    const json: Json = body === '' ? undefined : JSON.parse(body);
    switch (route) {
      case 'GET /service/users':
        return this.#page(Number(query.get('limit') ?? 50), Number(query.get('cursor') ?? 0));
      case 'POST /service/users':
        return this.#create(json);
      case 'POST /service/users/lookup': {
        const [found, notFound] = [true, false].map((is) =>
          json.employeeIDs.filter((id: string) => this.users.has(id) === is),
        );
        return done({ items: found?.map((employeeID: string) => ({ employeeID })), notFound });
      }
      case 'POST /service/users/create-bulk':
        return this.#bulk(json.items, (item) => this.#create(item));
      case 'POST /service/users/update-bulk':
        return this.#bulk(json.items, ({ employeeID }) =>
          this.users.has(employeeID)
            ? done({ serial: this.users.get(employeeID) })
            : failed('USER_NOT_FOUND'),
        );
      default:
        return failed('REQUEST_PATH_NOT_FOUND');
    }
  }

  #issueToken(form: URLSearchParams): FakeReply {
    if (form.get('client_secret') !== secret) return failed('ACCESS_CLIENT_INVALID');
    const token = `token-${this.#tokens.size + 1}`;
    this.#tokens.add(token);
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 3_600, scope: '' } };
  }

  #page(limit: number, first: number): FakeReply {
    const all = [...this.users.keys()].map((employeeID) => ({ employeeID }));
    const next = first + limit;
    const nextCursor = next < all.length ? String(next) : null;
    return done({ items: all.slice(first, next), nextCursor });
  }

  #create({ employeeID }: Json): FakeReply {
    if (this.users.has(employeeID)) return failed('USER_EMPLOYEE_ID_EXISTS');
    this.users.set(employeeID, randomUUID());
    return { ...done({ serial: this.users.get(employeeID) }), status: 201 };
  }

  #bulk(items: Json[], apply: (item: Json) => FakeReply): FakeReply {
    const [successItems, failedItems]: [object[], object[]] = [[], []];
    for (const [position, item] of items.entries()) {
      const { status, body } = apply(item) as { status: number; body: Json };
      if (status < 300) successItems.push({ payload: item, position, response: body.data });
      else failedItems.push({ payload: item, position, error: body });
    }
    return { ...done({ successItems, failedItems }), headers: { 'x-call-id': randomUUID() } };
  }

  #stream({ headers }: IncomingMessage, response: ServerResponse): void {
    let sent = Number(headers['last-event-id'] ?? this.#lastSequence);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`retry: 2000\nid: ${sent}\nevent: position\ndata:\n\n`);
    const wake = () => {
      while (sent < this.#lastSequence) {
        const data = { type: 'user.deleted', timestamp: '', data: { sequence: ++sent, name: 'é😀' } };
        response.write(`id: ${sent}\nevent: user.deleted\ndata: ${JSON.stringify(data)}\n\n`);
      }
    };
    this.#readers.add(wake);
    response.on('close', () => this.#readers.delete(wake));
    wake();
  }
}

function done(data: Json): FakeReply {
  return { status: 200, body: { status: 'success', message: 'Done.', data } };
}

function failed(name: ErrorName): FakeReply {
  const { status, code } = errorCatalogue[name];
  return { status, body: { errorCode: code, message: name, detail: 'As the test wants it.' } };
}

/** A new service in memory for the file. */
export function useFakeService(): FakeService {
  const service = new FakeService();
  beforeAll(() => service.start());
  afterAll(() => service.stop());
  return service;
}

export const fakeCredentials = { clientId: 'client-1', clientSecret: secret };

/** A client that talks to the front, with short pauses by default. */
export function fakeClient(front: Front, options: Partial<ClientOptions> = {}): Rollcall {
  return createClient({
    baseUrl: front.url,
    auth: clientCredentials(fakeCredentials),
    retry: { pauseMs: 1 },
    ...options,
  });
}
