import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type EventType, eventTypes } from '../../../contract/enums.js';
import { type Failure, failure, retry } from '../../../contract/errors.js';
import {
  CallEventView,
  FeedEventView,
  PlannedCallEventView,
  UserEventView,
} from '../../../contract/events.js';
import { fieldLimits } from '../../../contract/limits.js';
import type { Authenticator } from '../../../domain/access/authenticate.js';
import type { ChangeContext } from '../../../domain/changes/follower.js';
import type { LimitedDatabase } from '../../../domain/database.js';
import {
  allEventTypes,
  type Event,
  type EventPage,
  EventPages,
  followEvents,
  startOfEvents,
} from '../../../domain/events/events.js';
import { authentication, callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import {
  eventStreamType,
  mustRetryAsStream,
  positionBlock,
  reconnectAfter,
  sendRetryStream,
} from '../../event-stream.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { invalidParameter, type Query, querySchema, readParameters, textParameter } from '../../query.js';
import { accepted } from '../../request-rejected.js';
import { exampleEvent } from './examples.js';

export interface EventRouteContext extends ChangeContext, LimitedDatabase {}

/** How often an idle stream sends a heartbeat and checks whether its reader is still authorized. */
const idleMs = 5_000;

/** How long to wait for pending data when the service stops. */
const drainTimeoutMs = 500;

const typePattern = `(${eventTypes.join('|').replaceAll('.', '\\.')})`;
const typesPattern = `^\\s*${typePattern}\\s*(,\\s*${typePattern}\\s*)*$`;

const parameters = {
  types: textParameter(
    `Only events of these types, separated by commas: ${eventTypes.join(', ')}.`,
    'user.created,user.deactivated',
    { pattern: typesPattern, maxLength: fieldLimits.eventTypesMaxLength },
  ),
};

const headers = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      pattern: '^[0-9]{0,15}$',
      description:
        'The ID of the last event received; the stream continues after it. 0 starts at the beginning.',
      examples: ['4711'],
    }),
  ),
});

const exampleStream = `id: ${exampleEvent.data.sequence}
event: ${exampleEvent.type}
data: ${JSON.stringify(exampleEvent)}

`;

/** Streams the change log as server-sent events. */
export function eventsRoute(
  app: FastifyInstance,
  context: EventRouteContext,
  authenticate: Authenticator,
): void {
  const { eventStreamsMax, eventStreamsPerCallerMax } = context.limits;
  const shared = new EventPages(context.database);
  const checkAgain = authentication(authenticate, { givenUrl: undefined, proofMaxSeconds: 0 });
  const streams = new Set<EventStream>();
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    streams.forEach(endStream);
  });

  app.get<{ Querystring: Query }>('/service/events', {
    config: { scope: 'audit:read', plain: true, eventStream: true },
    schema: describeOperation({
      operationId: 'followEvents',
      summary: 'Follow changes as they happen',
      description:
        'A stream of server-sent events: the same events in the same order as webhooks receive. None is skipped, whatever the order of commits. To resume after a disconnect, send the ID of the last event as Last-Event-ID. Events named "position" have no data: they advance the ID and serve as a heartbeat. A caller that accepts only text/event-stream, such as EventSource, receives 200 and a stream that ends immediately instead of 429, 500 and 503, because it treats any other status as final.',
      tag: 'Changes',
      secured: true,
      parameters: { querystring: querySchema(parameters), headers },
      success: {
        status: 200,
        description: 'Events, as long as the connection lasts.',
        mediaType: 'text/event-stream',
        schema: Type.String({
          'x-event-data': { oneOf: [UserEventView, CallEventView, PlannedCallEventView, FeedEventView] },
        }),
        example: exampleStream,
      },
      errors: ['REQUEST_PARAMETER_INVALID', 'EVENTS_PRUNED', 'EVENTS_BUSY', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const ending = new AbortController();
      reply.raw.once('close', () => ending.abort());
      const wanted = readTypes(request.query);
      const after = readLastEventId(request.headers['last-event-id']);
      const start = accepted(await startOfEvents(context, after));
      const caller = callerKey(request);
      const own = [...streams].filter((stream) => stream.caller === caller).length;
      if (streams.size >= eventStreamsMax || own >= eventStreamsPerCallerMax) {
        const busy =
          own >= eventStreamsPerCallerMax
            ? tooManyOfCaller(eventStreamsPerCallerMax)
            : tooManyStreams(eventStreamsMax);
        // The reply contains the position, so a reader that has to retry misses nothing.
        return mustRetryAsStream(request, 503)
          ? sendRetryStream(reply, busy, start)
          : sendFailure(request, reply, busy);
      }
      const stream = { caller, ending, response: reply.raw };
      if (reply.raw.destroyed) return reply; // the reader has already disconnected
      streams.add(stream);
      ending.signal.addEventListener('abort', () => streams.delete(stream));
      if (isClosing) endStream(stream);
      const pages = followEvents(context.changes, shared, start, wanted, { signal: ending.signal, idleMs });
      return reply
        .type(eventStreamType)
        .header('cache-control', 'no-store, no-transform')
        .header('x-accel-buffering', 'no') // a buffering proxy would hold the events back
        .send(
          Readable.from(
            written(start, pages, () => checkAgain(request)),
            { objectMode: false },
          ),
        );
    },
  });
}

function callerKey(request: FastifyRequest): string {
  const { actor } = callerOf(request);
  return `${actor.kind} ${actor.id}`;
}

interface EventStream {
  readonly caller: string;
  readonly ending: AbortController;
  readonly response: ServerResponse;
}

/** A reader that consumes nothing does not delay the shutdown: it gets the rest from the next node. */
function endStream({ ending, response }: EventStream): void {
  ending.abort();
  setTimeout(() => response.destroy(), drainTimeoutMs).unref();
}

async function* written(
  start: number,
  pages: AsyncGenerator<EventPage>,
  checkAgain: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let checkedAt = Date.now();
  // Sends the start position first, so that a reader that is cut off before any event misses nothing either.
  yield Buffer.from(reconnectAfter() + positionBlock(start));
  for await (const { events, position } of pages) {
    if (Date.now() - checkedAt >= idleMs) {
      // A caller who signed out, was deactivated or lost the scope is disconnected; a new request gets the reason.
      if (
        !(await checkAgain().then(
          () => true,
          () => false,
        ))
      )
        return;
      checkedAt = Date.now();
    }
    if (events.length > 0) yield blocksOf(events);
    // The reader's position also moves past events that it did not request.
    if (events.at(-1)?.sequence !== position) yield Buffer.from(positionBlock(position));
  }
}

const blocks = new WeakMap<readonly Event[], Buffer>();

/** The same bytes for all readers who share the events: a hundred of them would otherwise hold a hundred copies. */
function blocksOf(events: readonly Event[]): Buffer {
  const known = blocks.get(events);
  if (known) return known;
  const bytes = Buffer.from(
    events.map(({ sequence, type, json }) => `id: ${sequence}\nevent: ${type}\ndata: ${json}\n\n`).join(''),
  );
  blocks.set(events, bytes);
  return bytes;
}

function readTypes(query: Query): ReadonlySet<EventType> {
  const { types: sent } = readParameters(query, parameters);
  if (sent === undefined) return allEventTypes;
  const named = sent.split(',').map((name) => name.trim());
  const types = eventTypes.filter((type) => named.includes(type));
  if (types.length === new Set(named).size) return new Set(types);
  throw invalidParameter('types', `must be a comma-separated list of ${eventTypes.join(', ')}.`);
}

function readLastEventId(sent: FastifyRequest['headers'][string]): number | undefined {
  if (sent === undefined || sent === '') return undefined;
  if (typeof sent === 'string' && /^\d{1,15}$/.test(sent)) return Number(sent);
  throw invalidParameter('Last-Event-ID', 'must be the ID of an event: a whole number.');
}

/** One caller, such as a script that never closes its streams, must not take the places of all others. */
function tooManyOfCaller(max: number): Failure {
  return failure(
    'EVENTS_BUSY',
    `You have ${max} event streams open on this node, which is the limit per caller. Close one.`,
    { limit: max, ...retry },
  );
}

function tooManyStreams(max: number): Failure {
  return failure(
    'EVENTS_BUSY',
    `This node has reached its limit of ${max} event streams. Close one, or connect to another node.`,
    { limit: max, ...retry },
  );
}
