import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { TestService } from './service.js';

export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  /** The whole event, as a webhook receives it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly json: any;
}

export interface StreamOptions {
  readonly token?: string;
  readonly lastEventId?: number | string;
  readonly types?: string;
  /** Reads nothing from the connection until `read` is called. */
  readonly paused?: boolean;
  /** Concurrent tests pass their own hook. */
  readonly whenFinished?: (end: () => void) => void;
}

/** A reader of /service/events that follows the rules of server-sent events, like a browser. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  readonly headers: IncomingMessage['headers'];
  /** What a browser would send when reconnecting. */
  lastEventId = '';
  /** The blocks received so far: the greeting, events and keep-alives. */
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
    // Whether the connection broke or the test ended it, what came before counts.
    response.on('error', () => {});
    response.on('close', () => {
      this.isOpen = false;
    });
  }

  /** Opens the stream, or throws with the reply. */
  static async open(
    service: Pick<TestService, 'url' | 'token'>,
    options: StreamOptions = {},
  ): Promise<EventStream> {
    const { token = service.token, lastEventId, types, paused, whenFinished = onTestFinished } = options;
    const request = get(`${service.url}/service/events${types === undefined ? '' : `?types=${types}`}`, {
      agent: false, // its own connection, which ends with the stream
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream, application/json',
        ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
      },
    });
    whenFinished(() => request.destroy());
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`could not open the stream: ${await text(response)}`);
    const stream = new EventStream(request, response);
    if (!paused) stream.read();
    return stream;
  }

  /** Reads until either side ends the stream. */
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
    else if (field !== 'retry') throw new Error(`invalid line in an event stream: ${line}`);
  }

  #dispatch(): void {
    const { id, type, data } = this.#event;
    this.lastEventId = id;
    this.blocks++;
    this.#event = { type: '', data: [], id };
    if (data.join('') !== '') this.events.push({ id, type, json: JSON.parse(data.join('\n')) });
  }
}
