import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach } from 'vitest';
import {
  type ClientOptions,
  clientCredentials,
  createClient,
  type ErrorName,
  type Rollcall,
} from '../../../client/src/index.js';
import { errorCatalogue } from '../../../src/contract/errors.js';
import { credentialsIn, type TestService } from '../../support/service.js';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Passed {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Turn {
  readonly request: SeenRequest;
  readonly response: ServerResponse;
  /** Sends the request to the service, with other headers if given. */
  pass(headers?: Record<string, string>): Promise<Passed>;
  /** Like pass, but returns before the body is complete; aborted when the caller disconnects. */
  forward(headers?: Record<string, string>): Promise<Response>;
}

export type Answer = (turn: Turn) => unknown;

/** A real server in front of the service that forwards every request, unless given another answer. */
export class Front {
  #server = createServer();
  readonly #answers: { readonly path: string; readonly answer: Answer }[] = [];
  readonly #service: () => string;
  seen: SeenRequest[] = [];

  constructor(service: () => string) {
    this.#service = service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers the next requests to a path, in order. */
  answer(path: string, ...answers: Answer[]): void {
    this.#answers.push(...answers.map((answer) => ({ path, answer })));
  }

  /** The requests to a path since the test began. */
  requests(path: string): SeenRequest[] {
    return this.seen.filter((request) => request.path === path);
  }

  /** Uses a new port each time, so that late requests of an earlier test don't arrive. */
  start(): Promise<void> {
    this.#answers.length = 0;
    this.seen = [];
    this.#server = createServer((request, response) => void this.#serve(request, response));
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = incoming.url ?? '';
    const path = url.split('?')[0] as string;
    const { method = '', headers } = incoming;
    const request: SeenRequest = { method, path, url, headers, body: await text(incoming) };
    this.seen.push(request);
    const forward = (others: Record<string, string> = {}) => this.#forward(request, response, others);
    const pass = async (others?: Record<string, string>) => {
      const reply = await forward(others);
      return { status: reply.status, headers: reply.headers, text: await reply.text() };
    };
    const at = this.#answers.findIndex((planned) => planned.path === path);
    const [planned] = at < 0 ? [] : this.#answers.splice(at, 1);
    try {
      await (planned?.answer ?? passOn)({ request, response, pass, forward });
    } catch (error) {
      if (!response.closed) throw error; // otherwise the caller has disconnected
    }
  }

  #forward(
    { method, url, headers, body }: SeenRequest,
    response: ServerResponse,
    others: Record<string, string>,
  ): Promise<Response> {
    const { host: _host, connection: _connection, 'content-length': _length, ...kept } = headers;
    const left = new AbortController();
    response.on('close', () => response.writableFinished || left.abort());
    return fetch(this.#service() + url, {
      method,
      headers: { ...(kept as Record<string, string>), ...others },
      signal: left.signal,
      ...(body === '' ? {} : { body }),
    });
  }
}

export function hand(response: ServerResponse, { status, headers, text: body }: Passed): void {
  response.writeHead(status, kept(headers)).end(body);
}

function kept(headers: Headers): Record<string, string> {
  const { 'content-length': _length, connection: _connection, ...others } = Object.fromEntries(headers);
  return others;
}

const passOn: Answer = (turn) => stream().answer(turn);

/** Forwards a response as it arrives, until it is broken off, stalled or has reached the given number of bytes. */
export function stream(bytesMax = Infinity) {
  let breakOff = () => {};
  let isStalled = false;
  let passedBytes = 0;
  const answer = async ({ response, forward }: Turn): Promise<void> => {
    breakOff = () => response.destroy();
    try {
      const reply = await forward();
      response.writeHead(reply.status, kept(reply.headers));
      for await (const chunk of reply.body ?? []) {
        if (isStalled) continue;
        const passed = chunk.subarray(0, bytesMax - passedBytes);
        passedBytes += passed.length;
        response.write(passed, () => passedBytes === bytesMax && response.destroy());
      }
      response.end();
    } catch {
      response.destroy(); // one side has disconnected
    }
  };
  const stall = () => {
    isStalled = true;
  };
  return { answer, stall, breakOff: () => breakOff(), passed: () => passedBytes };
}

/** An error of the service, with the given headers. */
export function failing(status: number, name: ErrorName, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify({
    errorCode: errorCatalogue[name].code,
    message: name,
    detail: 'As the test wants it.',
  });
  return ({ response }) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

export function saying(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return ({ response }) => response.writeHead(status, headers).end(body);
}

/** The connection breaks before the service receives the request. */
export const broken: Answer = ({ response }) => response.destroy();

/** The service handles the request, but its response is lost. */
export const unheard: Answer = async ({ response, pass }) => {
  await pass();
  response.destroy();
};

/** Answers only once opened, and reports when the request has arrived. */
export function held(answer: Answer = passOn) {
  let isReached = () => {};
  let letGoOn = () => {};
  const reached = new Promise<void>((resolve) => {
    isReached = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    letGoOn = resolve;
  });
  const gate: Answer = async (turn) => {
    isReached();
    await opened;
    await answer(turn);
  };
  return { gate, reached, open: letGoOn };
}

/** A server in front of the given service, new for each test. */
export function useFront(service: Pick<TestService, 'url'>): Front {
  const front = new Front(() => service.url);
  beforeEach(() => front.start());
  afterEach(() => front.stop());
  return front;
}

/** A client with the credentials of the first start that talks to the front, with short pauses by default. */
export function clientOf(front: Front, service: TestService, options: Partial<ClientOptions> = {}): Rollcall {
  return createClient({
    baseUrl: front.url,
    auth: clientCredentials(credentialsIn(service.dataDir)),
    retry: { pauseMs: 1 },
    ...options,
  });
}

/** The error that a promise is rejected with. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('The promise did not reject.');
}
