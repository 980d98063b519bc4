import { Type } from 'typebox';
import { callSubject, LastWorkingDay, PatchView, PlanEffects } from './calls.js';
import { ActorView, ChangeView } from './changes.js';
import { directoryEditKinds, directoryKinds } from './directories.js';
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
    created: Type.Integer(),
    reactivated: Type.Integer({ description: 'Reactivated or rehired.' }),
    deactivated: Type.Integer(),
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

const TextChangeView = Type.Object({ before: orNull(Type.String()), after: orNull(Type.String()) });

const DirectoryEditView = Type.Object(
  {
    directory: Type.String({ enum: [...directoryKinds] }),
    serial: Type.String(),
    kind: Type.String({ enum: [...directoryEditKinds] }),
    fields: Type.Object(
      { displayName: Type.Optional(TextChangeView), parentSerial: Type.Optional(TextChangeView) },
      { description: 'What has changed, before and after.' },
    ),
  },
  {
    title: 'DirectoryEdit',
    description:
      'An organization or a tag was added, named, moved to another parent or removed. Renamed serials and merges are calls.',
  },
);

const ActivityEntryView = Type.Object(
  {
    id: Type.String({
      description: 'The ID of the first call or of the edit, or the sequence number of the change.',
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
    edit: orNull(DirectoryEditView),
  },
  {
    title: 'ActivityEntry',
    description:
      'The bulk calls of one request on one day (in UTC), a single change, a decision about a planned call, or an edit of an organization or a tag.',
  },
);
export const ActivityReply = success('ActivityList', pageOf(ActivityEntryView));
