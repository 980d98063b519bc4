import { Type } from 'typebox';
import { deliveriesCountedMax } from './limits.js';
import { success } from './shapes.js';
import { version } from './version.js';

/** What needs attention, the most urgent first. */
export const attentionKinds = [
  'nodeSilent',
  'versionsDiffer',
  'migrationsPending',
  'indexBuilding',
  'indexingBehind',
  'messagesParked',
  'messagesDelayed',
  'webhooksDisabled',
  'webhooksFailing',
  'scimTargetsStopped',
  'scimTargetsFailing',
  'callsDelayed',
  'callsNeedTakeover',
  'callsNeedApproval',
  'feedsWaiting',
  'feedsFailed',
  'feedsDelayed',
  'noBackup',
  'backupOld',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) });
const Time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description ? { description } : {}) });
const Seconds = (description: string) => Type.Number({ minimum: 0, description });

const Node = Type.Object(
  {
    id: Type.String({ description: 'Host and port.', examples: ['rollcall-0:8080'] }),
    versions: Type.Array(Type.String(), {
      description: 'More than one while its workers are being replaced.',
    }),
    processes: Count('Processes that are alive: one, or as many as there are workers.'),
    startedAt: Time(),
    lastSeenAt: Time(),
    isAlive: Type.Boolean({ description: 'Whether it was seen within the last minute.' }),
  },
  { title: 'Node' },
);

const Database = Type.Object({
  engine: Type.String({ enum: ['embedded', 'postgres'] }),
  version: Type.String({ examples: ['18.1'] }),
  bytes: Count(),
  migrations: Type.Object({
    applied: Count(),
    latest: Type.Union([Type.String(), Type.Null()], { examples: ['0018_node_heartbeats'] }),
    pending: Count('Migrations that this version knows and the database has not.'),
  }),
});

const Queues = Type.Object({
  messages: Type.Object({
    waiting: Count(`At most ${deliveriesCountedMax.toLocaleString('en')} are counted in each state.`),
    held: Count(),
    dormant: Count('For inactive users.'),
    parked: Count('All attempts failed.'),
    oldestDueSeconds: Seconds('How long the message that has been due longest has waited.'),
  }),
  webhooks: Type.Object({
    active: Count(),
    failing: Count(),
    disabled: Count('After failing for too long.'),
    paused: Count(),
    oldestEventSeconds: Seconds('Age of the oldest event that an active webhook has yet to receive.'),
  }),
  scimTargets: Type.Object({
    active: Count(),
    failing: Count(),
    stopped: Count('Paused by the service, after failing for too long.'),
    paused: Count(),
    queued: Count('Users and groups that wait to be pushed.'),
    failed: Count('Those among them whose last attempt failed.'),
  }),
  plannedCalls: Type.Object({
    planned: Count(),
    awaitingApproval: Count(),
    awaitingTakeover: Count(),
    running: Count(),
    oldestDueSeconds: Seconds('How long the call that has been due longest has waited to run.'),
  }),
  feeds: Type.Object({
    waiting: Count('A run waits for approval.'),
    failed: Count('The last run failed or was stopped.'),
    running: Count(),
    paused: Count(),
    idle: Count(),
    oldestDueSeconds: Seconds('How long the feed that has been due longest has waited for its run.'),
  }),
  indexing: Type.Object({
    changesBehind: Count('Changes that are not indexed yet.'),
    secondsBehind: Seconds('Age of the oldest of them.'),
    isBuilding: Type.Boolean({ description: 'The index is built from scratch. Searches wait for it.' }),
  }),
});

const Backup = Type.Object({
  finishedAt: Time(),
  fileName: Type.Union([Type.String(), Type.Null()], { description: 'Null if it was downloaded.' }),
  bytes: Count(),
  users: Count(),
  encrypted: Type.Boolean(),
});

const Attention = Type.Object({
  kind: Type.String({ enum: [...attentionKinds] }),
  count: Count('How many, where it is about several things.'),
});

export const StatusReply = success(
  'StatusReply',
  Type.Object(
    {
      version: Type.String({ description: 'Of the node that answers.', examples: [version] }),
      nodes: Type.Array(Node),
      database: Database,
      queues: Queues,
      lastBackup: Type.Union([Backup, Type.Null()], {
        description: 'The latest backup that succeeded; null if Rollcall has made none.',
      }),
      attention: Type.Array(Attention, { description: 'What needs attention, the most urgent first.' }),
    },
    { title: 'ServiceStatus', description: 'How the service is doing.' },
  ),
);
