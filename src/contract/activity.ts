import { Type } from 'typebox';
import { callSubject, LastWorkingDay, PatchView, PlanEffects } from './calls.js';
import { ActorView, ChangeView } from './changes.js';
import { callKinds, callStates, decisionKinds } from './enums.js';
import { orNull, pageOf, success, Timestamp } from './shapes.js';

const ActivityCallsView = Type.Object(
  {
    kind: Type.String({ enum: [...callKinds] }),
    state: Type.String({
      enum: [...callStates],
      description: 'running or interrupted if one of the calls is; otherwise done.',
    }),
    ids: Type.Array(Type.String(), { description: 'In the order in which they ran; the first 500.' }),
    count: Type.Integer(),
    items: Type.Integer(),
    undoes: orNull(Type.String({ description: 'The call that the first one undoes.' })),
    source: orNull(
      Type.String({ description: 'Where the items come from, as the caller said: usually a file name.' }),
    ),
    note: orNull(Type.String({ description: 'What the caller noted about the first call.' })),
    ...callSubject,
    patch: PatchView,
  },
  { title: 'ActivityCalls' },
);

const ActivityCountsView = Type.Object(
  {
    joined: Type.Integer({ description: 'Created, rehired or reactivated.' }),
    moved: Type.Integer({ description: 'Changed their organization.' }),
    left: Type.Integer({ description: 'Deactivated.' }),
    removed: Type.Integer({ description: 'Erased, or removed by the undo of their creation.' }),
    changed: Type.Integer({ description: 'Changed in any other way.' }),
    failed: Type.Integer({
      description: 'Items and rows that failed. 0 in a list that is filtered by change.',
    }),
  },
  {
    title: 'ActivityCounts',
    description: 'Each user once. In a filtered list, only the changes that match.',
  },
);

const ActivityDecisionView = Type.Object(
  {
    kind: Type.String({ enum: [...decisionKinds] }),
    callId: Type.String(),
    callKind: Type.String({ enum: [...callKinds] }),
    items: Type.Integer(),
    effectiveAt: orNull(Timestamp),
    lastWorkingDay: LastWorkingDay,
    source: orNull(Type.String()),
    note: orNull(Type.String()),
    ...callSubject,
    patch: PatchView,
    effects: orNull(PlanEffects),
  },
  {
    title: 'ActivityDecision',
    description: 'A bulk call was planned for later, approved, rejected or cancelled.',
  },
);

const ActivityEntryView = Type.Object(
  {
    id: Type.String({
      description: 'The ID of the first call, or the sequence number of the change.',
      examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5d'],
    }),
    at: Timestamp,
    finishedAt: orNull(Timestamp),
    actor: orNull(ActorView),
    requestId: orNull(Type.String()),
    counts: ActivityCountsView,
    calls: orNull(ActivityCallsView),
    change: orNull(ChangeView),
    decision: orNull(ActivityDecisionView),
  },
  {
    title: 'ActivityEntry',
    description:
      'The bulk calls of one request on one day (in UTC), a single change, or a decision about a planned call.',
  },
);
export const ActivityReply = success('ActivityList', pageOf(ActivityEntryView));
