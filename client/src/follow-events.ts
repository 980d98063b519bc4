import type { Rollcall } from './client.js';
import { ConnectionFailed, RequestFailed } from './errors.js';
import { type StreamMessage, streamParser } from './event-stream.js';
import type { Schemas } from './operations.js';
import { canBeRetried, pauseAfter, wait } from './retry.js';
import { type StreamSource, sourceOf } from './streams.js';

type UserEvent = Schemas['UserEvent'];
type CallEvent = Schemas['CallEvent'];

export type EventType = UserEvent['type'] | CallEvent['type'];

/** Something that happened; its type tells what its data are. */
export type RollcallEvent<Type extends EventType = EventType> = Type extends EventType
  ? {
      /** Given as `after` it goes on after this event. */
      readonly sequence: number;
      readonly type: Type;
      readonly timestamp: string;
      readonly data: (Type extends CallEvent['type'] ? CallEvent : UserEvent)['data'];
    }
  : never;

export interface FollowOptions<Type extends EventType = EventType> {
  /** Only events of these types; all of them without it. */
  readonly types?: readonly Type[] | undefined;
  /** The sequence of the last event that is known; 0 for all that are kept. Without it what happens from now on. */
  readonly after?: number | undefined;
  /** Ends it at once. */
  readonly signal?: AbortSignal | undefined;
  /** The connection counts as broken once nothing came for this long. The service shows every 5 s that it lives. */
  readonly silenceMaxMs?: number | undefined;
  /** Told before the pause after which it connects again. */
  readonly onReconnect?: ((reconnect: Reconnect) => void) | undefined;
}

export interface Reconnect {
  /** What ended the last connection, or kept it from being opened. */
  readonly cause: RequestFailed;
  /** From 1; it begins anew once something came. */
  readonly attempt: number;
  readonly pauseMs: number;
  /** Where it goes on; undefined if no connection was open yet. */
  readonly after: number | undefined;
}

const silenceDefaultMs = 20_000;

/**
 * Events as they happen, each once and in order, for as long as they are asked for. A connection that breaks is opened again
 * where it was; what does not go away by that is thrown. Ends when the signal is aborted.
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

/** What comes over one connection, until it breaks, which is an error whoever brings it about. */
async function* connected(
  source: StreamSource,
  { types, after, signal, silenceMaxMs = silenceDefaultMs }: FollowOptions,
): AsyncGenerator<StreamMessage, never, void> {
  const connection = new AbortController();
  const leave = () => connection.abort(signal?.reason);
  signal?.addEventListener('abort', leave);
  /** Only while somebody waits: how long a reader thinks about an event is the reader's matter. */
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
