import { Type } from 'typebox';
import { ActorView, FieldChangesView } from './changes.js';
import { callKinds, eventTypes, feedRunStates } from './enums.js';
import { orNull, Serial, Timestamp } from './shapes.js';

const userEventTypes = eventTypes.filter((type) => type.startsWith('user.'));
const plannedEventTypes = eventTypes.filter((type) => type.startsWith('call.') && type !== 'call.completed');
const feedEventTypes = eventTypes.filter((type) => type.startsWith('feed.'));

/** The fields of every event. */
const common = {
  sequence: Type.Integer({ description: 'Increases with every event; the position of a reader.' }),
  types: Type.Array(Type.String({ enum: [...eventTypes] }), {
    description: 'All types of the event, from most to least specific.',
  }),
  actor: orNull(ActorView),
  requestId: orNull(Type.String()),
};

export const UserEventView = Type.Object(
  {
    type: Type.String({ enum: [...userEventTypes] }),
    timestamp: Timestamp,
    data: Type.Object({
      ...common,
      userSerial: Serial,
      employeeID: Type.String({
        description: 'The employee ID after the change, or before the removal; empty if the user was erased.',
      }),
      version: Type.Integer({ description: 'The version after the change; the number in the ETag.' }),
      callId: orNull(Type.String({ description: 'The bulk call that made the change.' })),
      fields: FieldChangesView,
    }),
  },
  { title: 'UserEvent', description: 'A user was created, updated, removed or erased.' },
);

export const CallEventView = Type.Object(
  {
    type: Type.String({ const: 'call.completed' }),
    timestamp: Timestamp,
    data: Type.Object({
      ...common,
      callId: Type.String(),
      call: Type.Object({
        kind: Type.String({ enum: [...callKinds] }),
        items: Type.Integer(),
        succeeded: Type.Integer(),
        failed: Type.Integer(),
        changes: Type.Integer({ description: 'How many changes to users the call made.' }),
        undoes: orNull(Type.String({ description: 'The call that this one undoes.' })),
      }),
    }),
  },
  { title: 'CallEvent', description: 'A bulk call has ended.' },
);

export const PlannedCallEventView = Type.Object(
  {
    type: Type.String({ enum: [...plannedEventTypes] }),
    timestamp: Timestamp,
    data: Type.Object({
      ...common,
      callId: Type.String(),
      call: Type.Object({
        kind: Type.String({ enum: [...callKinds] }),
        items: Type.Integer(),
        undoes: orNull(Type.String({ description: 'The call that this one undoes.' })),
        effectiveAt: orNull(
          Type.String({ format: 'date-time', description: 'When it runs; null as soon as it is approved.' }),
        ),
      }),
    }),
  },
  {
    title: 'PlannedCallEvent',
    description: 'A bulk call was planned, approved or cancelled, or has expired.',
  },
);

export const FeedEventView = Type.Object(
  {
    type: Type.String({ enum: [...feedEventTypes] }),
    timestamp: Timestamp,
    data: Type.Object({
      ...common,
      run: Type.Object({
        feed: Type.String({ description: 'The key of the feed.' }),
        runId: Type.String(),
        state: Type.String({ enum: [...feedRunStates] }),
        rows: orNull(Type.Integer({ description: 'Rows of the file.' })),
        counts: Type.Object({}, { additionalProperties: Type.Integer(), description: 'Rows by outcome.' }),
        findings: Type.Array(Type.String(), { description: 'Codes of what is unusual.' }),
        problem: orNull(Type.String({ description: 'The code of what failed.' })),
      }),
    }),
  },
  { title: 'FeedEvent', description: 'A run of a feed has ended, or waits for approval.' },
);

export const EventBatchView = Type.Object(
  {
    type: Type.String({ const: 'batch' }),
    timestamp: Timestamp,
    data: Type.Object({
      events: Type.Array(Type.Union([UserEventView, CallEventView, PlannedCallEventView, FeedEventView]), {
        minItems: 2,
      }),
    }),
  },
  { title: 'EventBatch', description: 'Several events that were waiting, in order.' },
);
