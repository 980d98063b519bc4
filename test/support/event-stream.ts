import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { TestService } from './service.js';

export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  /** The whole event, as a webhook gets it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly json: any;
}

export interface StreamOptions {
  readonly token?: string;
  readonly lastEventId?: number | string;
  readonly types?: string;
  /** Takes nothing from the connection until `read` is called. */
  readonly paused?: boolean;
  /** A concurrent test hands in its own hook. */
  readonly whenFinished?: (end: () => void) => void;
}

/** A reader of /service/events that keeps the rules of server-sent events, as a browser does. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  readonly headers: IncomingMessage['headers'];
  /** What a browser would send after a break. */
  lastEventId = '';
  /** What came so far: the greeting, events, and signs of life. */
  blocks = 0;
  isOpen = true;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  #unread = '';
  #event = { type: '', data: [] as string[], id: '' };

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.#response = response;
    this.headers = response.headers;
    response.setEncoding('utf8');
    // The connection broke, or was broken off by the test: what came before it counts.
    response.on('error', () => {});
    response.on('close', () => {
      this.isOpen = false;
    });
  }

  /** Opens it, and throws with the reply where there is none. */
  static async open(
    service: Pick<TestService, 'url' | 'token'>,
    options: StreamOptions = {},
  ): Promise<EventStream> {
    const { token = service.token, lastEventId, types, paused, whenFinished = onTestFinished } = options;
    const request = get(`${service.url}/service/events${types === undefined ? '' : `?types=${types}`}`, {
      agent: false, // a connection of its own, which is gone with the stream
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream, application/json',
        ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
      },
    });
    whenFinished(() => request.destroy());
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`no stream: ${await text(response)}`);
    const stream = new EventStream(request, response);
    if (!paused) stream.read();
    return stream;
  }

  /** Reads to the end, whoever brings it about. */
  read(): void {
    this.#response.on('data', (chunk: string) => this.#take(chunk));
  }

  close(): void {
    this.#request.destroy();
  }

  get sequences(): number[] {
    return this.events.map(({ json }) => json.data.sequence);
  }

  #take(chunk: string): void {
    const lines = (this.#unread + chunk).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: string): void {
    const [, field, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (line === '') this.#dispatch();
    else if (field === 'id') this.#event.id = value;
    else if (field === 'event') this.#event.type = value;
    else if (field === 'data') this.#event.data.push(value);
    else if (field !== 'retry') throw new Error(`not a line of an event stream: ${line}`);
  }

  #dispatch(): void {
    const { id, type, data } = this.#event;
    this.lastEventId = id;
    this.blocks++;
    this.#event = { type: '', data: [], id };
    if (data.join('') !== '') this.events.push({ id, type, json: JSON.parse(data.join('\n')) });
  }
}
