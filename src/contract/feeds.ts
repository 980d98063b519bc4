import { Type } from 'typebox';
import { ActorView } from './changes.js';
import {
  type FeedRowKind,
  type FeedRunPhase,
  type FeedRunState,
  type FeedTrigger,
  feedRowKinds,
  feedRunPhases,
  feedRunStates,
  feedTriggers,
} from './enums.js';
import {
  type FeedInform,
  type FeedLimits,
  type FeedMapping,
  type FeedRules,
  type FeedSchedule,
  feedKeyField,
  feedNameField,
  informField,
  limitsField,
  mappingField,
  rulesField,
  scheduleField,
  secretField,
  sourceField,
} from './feed-settings.js';
import { flagField } from './fields.js';
import { bodyOf, optional, orNull, pageOf, required, Serial, success, Timestamp } from './shapes.js';

export type { FeedRowKind, FeedRunPhase, FeedRunState, FeedTrigger };

/** Everything about a feed that its settings decide. */
export interface FeedSettings {
  readonly source: { readonly type: string };
  readonly schedule: FeedSchedule | null;
  readonly mapping: FeedMapping;
  readonly rules: FeedRules;
  readonly limits: FeedLimits;
  readonly inform: FeedInform;
}

const settingsFields = {
  name: required(feedNameField),
  source: required(sourceField),
  secret: optional(
    secretField('The password, token, private key or secret access key of the source. It is never returned.'),
  ),
  passphrase: optional(secretField('The passphrase of the private key. It is never returned.')),
  schedule: optional(scheduleField),
  mapping: required(mappingField),
  rules: optional(rulesField),
  limits: optional(limitsField),
  inform: optional(informField),
  chatUrl: optional(
    secretField('The URL of an incoming webhook of Slack or Microsoft Teams. It is never returned.'),
  ),
} as const;

export const createFeedFields = {
  key: required(feedKeyField),
  ...settingsFields,
  isPaused: optional(flagField('Whether the schedule is suspended.')),
} as const;

export const patchFeedFields = {
  ...settingsFields,
  isPaused: required(flagField('True suspends the schedule, false resumes it.')),
} as const;

export const CreateFeed = bodyOf(createFeedFields, {
  title: 'CreateFeed',
  description: 'A file that the service fetches and syncs by itself.',
});
export const PatchFeed = bodyOf(patchFeedFields, {
  title: 'PatchFeed',
  description:
    'A JSON merge patch of whole settings: absent ones are unchanged, null restores the default or removes a secret.',
  patch: true,
});

export const startRunFields = {
  dryRun: optional(flagField('Whether to report only what the run would do.')),
  replay: optional(secretField('The ID of an earlier run, whose file is read again. Only with dryRun.')),
} as const;
export const StartRun = bodyOf(startRunFields, { title: 'StartFeedRun', description: 'What to run.' });

const Count = Type.Integer({ minimum: 0 });
export const RunCounts = Type.Object(
  Object.fromEntries(feedRowKinds.map((kind) => [kind, Count])) as Record<FeedRowKind, typeof Count>,
  { title: 'FeedRunCounts', description: 'Rows by what became of them, including users who were missing.' },
);
export type FeedRunCounts = Readonly<Record<FeedRowKind, number>>;

/** Why a run waits, stopped or failed. */
export const FeedFinding = Type.Object(
  {
    code: Type.String({ examples: ['FIELD_CHANGES_OFTEN'] }),
    text: Type.String({
      examples: ['"phone" changes in 61% of rows, usually 0.4%. Column 7 may have moved.'],
    }),
  },
  {
    title: 'FeedFinding',
    description: 'What is unusual, with all numbers of the text.',
    additionalProperties: true,
  },
);

const RunProblem = Type.Object(
  {
    code: Type.String({ examples: ['COLUMNS_MISSING'] }),
    text: Type.String({ examples: ['The file has no column "Mail".'] }),
  },
  { title: 'FeedRunProblem', additionalProperties: true },
);

const runProperties = {
  id: Serial,
  feed: feedKeyField.schema,
  state: Type.String({ enum: [...feedRunStates] }),
  phase: Type.String({ enum: [...feedRunPhases], description: 'What it does, or did last.' }),
  trigger: Type.String({ enum: [...feedTriggers] }),
  isDryRun: Type.Boolean(),
  replays: orNull(Type.String({ description: 'The run whose file was read again.' })),
  version: Type.Integer({ description: 'The version of the settings.' }),
  startedBy: orNull(ActorView),
  createdAt: Timestamp,
  startedAt: orNull(Timestamp),
  finishedAt: orNull(Timestamp),
  approvedAt: orNull(Timestamp),
  approvedBy: orNull(ActorView),
  undoneBy: orNull(ActorView),
  fileName: orNull(Type.String()),
  hasFile: Type.Boolean({
    description: 'Whether the file is still stored, so that the run can be replayed.',
  }),
  rows: orNull(Type.Integer({ description: 'Rows of the file; null until they were counted.' })),
  done: Type.Integer({ description: 'Rows that are done, while it runs.' }),
  counts: RunCounts,
  changed: Type.Object({}, { additionalProperties: Count, description: 'Existing users by changed field.' }),
  limits: orNull(
    Type.Object(
      {},
      {
        additionalProperties: Count,
        description:
          'The limits that applied, explicit and learned, by the names of the settings; those of single fields only in findings. A quantity without a limit is absent.',
        examples: [{ rowsMin: 720, rowsMax: 880, deactivationsMax: 6 }],
      },
    ),
  ),
  findings: Type.Array(FeedFinding, { description: 'What is unusual about it.' }),
  problem: orNull(RunProblem),
};

export const FeedRunView = Type.Object(runProperties, { title: 'FeedRun', description: 'A run of a feed.' });
export const FeedRunReply = success('FeedRunReply', FeedRunView);
export const FeedRunListReply = success('FeedRunList', pageOf(FeedRunView));

export const FeedRowView = Type.Object(
  {
    row: orNull(
      Type.Integer({ description: 'As numbered in the file; null for users who are missing from it.' }),
    ),
    employeeID: orNull(Type.String({ description: 'Null if it is unreadable, or the user was erased.' })),
    serial: orNull(Serial),
    kind: Type.String({ enum: [...feedRowKinds] }),
    changed: Type.Array(Type.String(), { description: 'The fields that changed.' }),
    kept: Type.Array(Type.String(), {
      description: 'Fields that differ, but may only be changed by an administrator.',
    }),
    problem: orNull(Type.Object({ code: Type.String(), detail: Type.String() })),
  },
  { title: 'FeedRow', description: 'What became of a row that did something, or failed.' },
);
export const FeedRowListReply = success('FeedRowList', pageOf(FeedRowView));

const recentRun = Type.Object({
  id: Serial,
  state: Type.String({ enum: [...feedRunStates] }),
  at: Timestamp,
  rows: orNull(Type.Integer()),
  changes: Count,
  failed: Count,
});

const Hidden = Type.Array(Type.String({ examples: ['source.url'] }), {
  description:
    'Settings that are shown without what the caller may not see, such as `source.url` and `mapping.attributes.salary`. A … is in its place.',
});

export const FeedView = Type.Object(
  {
    key: feedKeyField.schema,
    name: Type.String(),
    version: Type.Integer({ description: 'Counts the changes of its settings.' }),
    isPaused: Type.Boolean(),
    source: sourceField.schema,
    hasSecret: Type.Boolean(),
    hasChatUrl: Type.Boolean(),
    schedule: orNull(scheduleField.schema),
    mapping: mappingField.schema,
    rules: rulesField.schema,
    limits: limitsField.schema,
    inform: informField.schema,
    hidden: Hidden,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    nextRunAt: orNull(Timestamp),
    lastRun: orNull(FeedRunView),
    openRun: orNull(FeedRunView),
    recentRuns: Type.Array(recentRun, {
      description: 'The last 30 runs that ended, oldest first, without dry runs.',
    }),
    users: Type.Integer({ description: 'How many users belong to the feed.' }),
  },
  { title: 'Feed', description: 'A file that the service fetches and syncs by itself.' },
);
export const FeedReply = success('FeedReply', FeedView);
export const FeedListReply = success('FeedList', Type.Object({ items: Type.Array(FeedView) }));
export const FeedDeletedReply = success('FeedDeleted', Type.Object({ key: feedKeyField.schema }));

export const FeedVersionView = Type.Object(
  {
    version: Type.Integer(),
    at: Timestamp,
    by: ActorView,
    settings: Type.Object({}, { additionalProperties: true, description: 'Everything but secrets.' }),
    hidden: Hidden,
  },
  { title: 'FeedVersion' },
);
export const FeedVersionListReply = success('FeedVersionList', pageOf(FeedVersionView));

export const FeedUndoReply = success(
  'FeedUndo',
  Type.Object({
    id: Serial,
    calls: Type.Integer({ description: 'How many bulk calls it consists of.' }),
    users: Type.Integer({ description: 'How many users it changed.' }),
    changedSince: Type.Integer({
      description: 'How many of them were changed by others since. What others changed is kept.',
    }),
  }),
);
