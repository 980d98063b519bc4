import type { Rollcall } from './client.js';
import { ConnectionFailed, RequestFailed } from './errors.js';
import { type StreamMessage, streamParser } from './event-stream.js';
import type { Schemas } from './operations.js';
import { canBeRetried, pauseAfter, wait } from './retry.js';
import { type StreamSource, sourceOf } from './streams.js';

type UserEvent = Schemas['UserEvent'];
type CallEvent = Schemas['CallEvent'];

export type EventType = UserEvent['type'] | CallEvent['type'];

/** An event. Its type determines its data. */
export type RollcallEvent<Type extends EventType = EventType> = Type extends EventType
  ? {
      /** Pass it as `after` to resume after this event. */
      readonly sequence: number;
      readonly type: Type;
      readonly timestamp: string;
      readonly data: (Type extends CallEvent['type'] ? CallEvent : UserEvent)['data'];
    }
  : never;

export interface FollowOptions<Type extends EventType = EventType> {
  /** Only events of these types. Default: all. */
  readonly types?: readonly Type[] | undefined;
  /** Resume after this sequence number; 0 for all retained events. Default: new events only. */
  readonly after?: number | undefined;
  /** Stops following. */
  readonly signal?: AbortSignal | undefined;
  /** Reconnects if nothing arrives for this long. The service sends a keep-alive every 5 s. */
  readonly silenceMaxMs?: number | undefined;
  /** Called before the pause that precedes a reconnect. */
  readonly onReconnect?: ((reconnect: Reconnect) => void) | undefined;
}

export interface Reconnect {
  /** Why the last connection ended or could not be opened. */
  readonly cause: RequestFailed;
  /** Starts at 1, and again after each successful connection. */
  readonly attempt: number;
  readonly pauseMs: number;
  /** The position to resume from; undefined if no connection has been opened yet. */
  readonly after: number | undefined;
}

const silenceDefaultMs = 20_000;

/**
 * Yields events as they happen, each once and in order. Reconnects where a lost connection left off, and throws on
 * permanent errors. Ends when the signal is aborted.
 */
export async function* followEvents<Type extends EventType = EventType>(
  rollcall: Rollcall,
  options: FollowOptions<Type> = {},
): AsyncGenerator<RollcallEvent<Type>, void, void> {
  const { signal, onReconnect } = options;
  const source = sourceOf(rollcall);
  let { after } = options;
  let attempt = 0;
  while (!signal?.aborted) {
    let isGreeted = false;
    try {
      for await (const { id, data } of connected(source, { ...options, after })) {
        if (id !== '') after = Number(id);
        if (isGreeted) attempt = 0; // the first block comes even from a service that fails right after it
        isGreeted = true;
        if (data) yield readEvent<Type>(data); // none, or an empty one: it only moves the place
        if (signal?.aborted) return;
      }
    } catch (cause) {
      if (signal?.aborted) return;
      if (!(cause instanceof RequestFailed) || !canBeRetried(cause, true)) throw cause;
      attempt++;
      const pauseMs = pauseAfter(attempt, cause.retryAfterMs, source.policy);
      onReconnect?.({ cause, attempt, pauseMs, after });
      await wait(pauseMs, signal);
    }
  }
}

/** Reads one connection until it breaks, which always throws. */
async function* connected(
  source: StreamSource,
  { types, after, signal, silenceMaxMs = silenceDefaultMs }: FollowOptions,
): AsyncGenerator<StreamMessage, never, void> {
  const connection = new AbortController();
  const leave = () => connection.abort(signal?.reason);
  signal?.addEventListener('abort', leave);
  /** Runs only while the reader waits for the next event, not while it processes one. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(
      () => connection.abort(brokenStream(`nothing came for ${silenceMaxMs} ms`)),
      silenceMaxMs,
    );
    return work.finally(() => clearTimeout(timer));
  };
  try {
    const stream = source.open('followEvents', {
      query: { types: types?.join() },
      // With JSON too: otherwise the service takes us for an EventSource, and does not tell what is wrong.
      headers: { accept: 'text/event-stream, application/json', 'last-event-id': after },
      signal: connection.signal,
    });
    const reader = (await inTime(stream)).getReader();
    const decoder = new TextDecoder();
    const parse = streamParser();
    for (;;) {
      const { done, value } = await inTime(unbroken(reader.read(), connection.signal));
      if (done) throw brokenStream('it ended');
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    connection.abort();
  }
}

async function unbroken<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    throw brokenStream('the connection broke', error);
  }
}

function brokenStream(reason: string, cause?: unknown): ConnectionFailed {
  return new ConnectionFailed(`The stream of events broke off: ${reason}.`, {
    outcomeUnknown: false,
    cause,
    reason,
  });
}

function readEvent<Type extends EventType>(text: string): RollcallEvent<Type> {
  const { type, timestamp, data } = JSON.parse(text) as UserEvent | CallEvent;
  return { sequence: data.sequence, type, timestamp, data } as RollcallEvent<Type>;
}
