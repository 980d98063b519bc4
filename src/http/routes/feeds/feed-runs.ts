import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { feedRowKinds, feedRunStates } from '../../../contract/enums.js';
import type { ErrorName } from '../../../contract/errors.js';
import {
  FeedRowListReply,
  FeedRunListReply,
  FeedRunReply,
  FeedUndoReply,
  StartRun,
  startRunFields,
} from '../../../contract/feeds.js';
import { fieldLimits } from '../../../contract/limits.js';
import type { Scope } from '../../../contract/scopes.js';
import type { Caller } from '../../../domain/caller.js';
import type { Database } from '../../../domain/database.js';
import {
  approveRun,
  cancelRun,
  type FeedRun,
  getRun,
  listRows,
  listRuns,
  startRun,
} from '../../../domain/feeds/runs.js';
import { previewRunUndo, type RunUndoContext, startRunUndo } from '../../../domain/feeds/undo-run.js';
import { uploadFile } from '../../../domain/feeds/upload-file.js';
import type { Result } from '../../../domain/result.js';
import { callerOf } from '../../authentication.js';
import { listRoute } from '../../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../../openapi.js';
import {
  choiceParameter,
  confirmParameter,
  flagParameter,
  type Query,
  querySchema,
  readParameters,
  textParameter,
} from '../../query.js';
import { readBody } from '../../request-body.js';
import { fileTypes } from '../../request-headers.js';
import { succeeded } from '../../request-rejected.js';
import { dryRunParameter } from '../users/bulk-parameters.js';
import { exampleRow, exampleRun, rowView, runView } from './feed-views.js';
import { type FeedRequest, feedParams } from './feeds.js';

export interface FeedRunsContext extends RunUndoContext {
  readonly feedFileMaxBytes: number;
}

const runParams = Type.Object({
  ...feedParams.properties,
  run: Type.String({ description: 'The ID of the run.', examples: [exampleRun.id] }),
});
type RunRequest = { Params: { key: string; run: string }; Querystring: Query };

/** Who decides about runs can also read what they would do. */
const deciding: Scope[] = ['users:write', 'users:read'];

export function feedRunRoutes(app: FastifyInstance, context: FeedRunsContext): void {
  const { database } = context;
  listRunsRoute(app, database);
  startRunRoute(app, database);
  uploadRoute(app, context);
  getRunRoute(app, database);
  listRowsRoute(app, database);
  decideRoutes(app, database);
  undoRunRoute(app, context);
}

const runReply = (description: string, message: string) => ({
  status: 200,
  description,
  schema: FeedRunReply,
  example: { status: 'success', message, data: exampleRun },
});

function sendRun(reply: FastifyReply, status: number, message: string, run: FeedRun): FastifyReply {
  return reply.code(status).send({ status: 'success', message, data: runView(run) });
}

function listRunsRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/feeds/:key/runs',
    scope: 'users:read',
    operationId: 'listFeedRuns',
    summary: 'List the runs of a feed',
    description: 'Newest first.',
    tag: 'Feeds',
    noun: 'Runs',
    reply: FeedRunListReply,
    example: exampleRun,
    params: feedParams,
    parameters: {
      state: choiceParameter(feedRunStates, undefined, 'Only runs in this state.'),
      isDryRun: flagParameter('true: only dry runs. false: only the others.', undefined),
    },
    errors: ['FEED_NOT_FOUND'],
    page: async (database, page, { params, parameters }) => {
      const listed = await listRuns(database, (params as { key: string }).key, parameters, page);
      return listed.ok ? { ...listed, items: listed.items.map(runView) } : listed;
    },
  });
}

function startRunRoute(app: FastifyInstance, database: Database): void {
  app.post<FeedRequest>('/service/feeds/:key/runs', {
    config: { scope: deciding, takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'startFeedRun',
      summary: 'Run a feed now',
      description:
        'Fetches the file and syncs it. With dryRun, the run only reports what it would do. With replay, it reads the file of an earlier run again.',
      tag: 'Feeds',
      secured: true,
      parameters: { params: feedParams },
      body: {
        optional: true,
        types: ['application/json'],
        schema: StartRun,
        examples: { look: { summary: "What would tonight's file do?", value: { dryRun: true } } },
      },
      success: { ...runReply('The run, which begins within seconds.', 'Run started.'), status: 202 },
      errors: ['FEED_NOT_FOUND', 'FEED_RUN_NOT_FOUND', 'FEED_BUSY', 'FEED_FILE_GONE', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { dryRun, replay } = request.body == null ? {} : readBody(request, startRunFields);
      const options = { isDryRun: dryRun === true || replay != null, replays: replay ?? undefined };
      const { run } = succeeded(await startRun(database, request.params.key, options, callerOf(request)));
      return sendRun(reply, 202, 'Run started.', run);
    },
  });
}

const uploadParameters = {
  dryRun: dryRunParameter,
  fileName: textParameter('The name of the file, for the record.', 'staff.csv'),
};

function uploadRoute(app: FastifyInstance, context: FeedRunsContext): void {
  app.put<FeedRequest & { Querystring: Query }>('/service/feeds/:key/file', {
    bodyLimit: context.feedFileMaxBytes,
    config: { scope: deciding, takes: fileTypes, takesFile: true },
    schema: describeOperation({
      operationId: 'uploadFeedFile',
      summary: 'Upload a file to a feed',
      description:
        'Stores a CSV, XLSX, JSON or NDJSON file and starts a run with it, whatever the source of the feed is. The format is detected. A run that waits for approval is replaced.',
      tag: 'Feeds',
      secured: true,
      parameters: { params: feedParams, querystring: querySchema(uploadParameters) },
      body: {
        types: fileTypes,
        schema: Type.String({ format: 'binary' }),
        examples: { csv: { summary: 'Two users', value: 'Employee ID,Name\nE1001,Ada\nE1002,Grace\n' } },
      },
      success: { ...runReply('The run, which begins within seconds.', 'File uploaded.'), status: 202 },
      errors: ['FEED_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { dryRun, fileName = 'upload' } = readParameters(request.query, uploadParameters);
      const upload = { name: shortName(fileName), bytes: request.body as Readable, isDryRun: dryRun };
      const { run } = succeeded(await uploadFile(context, request.params.key, upload, callerOf(request)));
      return sendRun(reply, 202, 'File uploaded.', run);
    },
  });
}

/** As far as it can be shown, without its folder. */
function shortName(fileName: string): string {
  const name = fileName
    .replace(/^.*[\\/]/, '')
    .replace(/\p{C}/gu, '')
    .trim();
  return [...(name || 'upload')].slice(0, fieldLimits.labelMaxLength).join('');
}

function getRunRoute(app: FastifyInstance, database: Database): void {
  app.get<RunRequest>('/service/feeds/:key/runs/:run', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getFeedRun',
      summary: 'Read a run of a feed',
      description: 'Its state, its counts, and why it waits, stopped or failed.',
      tag: 'Feeds',
      secured: true,
      parameters: { params: runParams },
      success: runReply('The run.', 'Run found.'),
      errors: ['FEED_NOT_FOUND', 'FEED_RUN_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { key, run } = request.params;
      return sendRun(reply, 200, 'Run found.', succeeded(await getRun(database, key, run)).run);
    },
  });
}

function listRowsRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/feeds/:key/runs/:run/rows',
    scope: 'users:read',
    operationId: 'listFeedRows',
    summary: 'List the rows of a run',
    description:
      'What became of each row that did something or failed, in the order of the file, and then users who were missing from it. Of a run that waits, and of a dry run: what would become of them. Rows that changed nothing are only counted.',
    tag: 'Feeds',
    noun: 'Rows',
    reply: FeedRowListReply,
    example: exampleRow,
    params: runParams,
    parameters: { kind: choiceParameter(feedRowKinds, undefined, 'Only rows with this outcome.') },
    errors: ['FEED_NOT_FOUND', 'FEED_RUN_NOT_FOUND'],
    page: async (database, page, { params, parameters, actor }) => {
      const { key, run } = params as RunRequest['Params'];
      const listed = await listRows(database, key, run, parameters.kind, page, actor);
      return listed.ok ? { ...listed, items: listed.items.map(rowView) } : listed;
    },
  });
}

interface Decision {
  readonly action: 'approve' | 'cancel';
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly errors: readonly ErrorName[];
  decide(database: Database, key: string, run: string, caller: Caller): Promise<Result<{ run: FeedRun }>>;
}

const decisions: readonly Decision[] = [
  {
    action: 'approve',
    operationId: 'approveFeedRun',
    summary: 'Approve a run',
    description:
      'Lets a run go on that waits. It reads the file once more; if much more would change by now than what was approved, it waits again.',
    message: 'Run approved.',
    errors: ['ACCESS_PROOF_REQUIRED', 'FEED_APPROVAL_BY_AUTHOR', 'FEED_BUSY'],
    decide: approveRun,
  },
  {
    action: 'cancel',
    operationId: 'cancelFeedRun',
    summary: 'Cancel a run',
    description:
      'Rejects a run that waits, or stops one that is under way after the rows that it is writing. What it has done stays, and can be undone.',
    message: 'Run cancelled.',
    errors: [],
    decide: cancelRun,
  },
];

function decideRoutes(app: FastifyInstance, database: Database): void {
  for (const { action, operationId, summary, description, message, errors, decide } of decisions) {
    app.post<RunRequest>(`/service/feeds/:key/runs/:run/${action}`, {
      config: { scope: deciding, isSensitive: action === 'approve' },
      schema: describeOperation({
        ...{ operationId, summary, description },
        tag: 'Feeds',
        secured: true,
        parameters: { params: runParams },
        success: runReply('The run.', message),
        errors: [
          ...errors,
          ...(['FEED_NOT_FOUND', 'FEED_RUN_NOT_FOUND', 'FEED_RUN_STATE_CONFLICT'] as const),
          ...commonErrors,
          'SERVICE_OUTCOME_UNKNOWN',
        ],
      }),
      handler: async (request: FastifyRequest<RunRequest>, reply) => {
        const { key, run } = request.params;
        const decided = succeeded(await decide(database, key, run, callerOf(request)));
        return sendRun(reply, 200, message, decided.run);
      },
    });
  }
}

const undoParameters = { dryRun: dryRunParameter, confirm: confirmParameter };

function undoRunRoute(app: FastifyInstance, context: FeedRunsContext): void {
  app.post<RunRequest>('/service/feeds/:key/runs/:run/undo', {
    config: { scope: deciding },
    schema: describeOperation({
      operationId: 'undoFeedRun',
      summary: 'Undo a run',
      description:
        'Undoes all bulk calls of a run, the last one first, in the background. Users who were created are removed, and the others get back what the run changed, unless others have changed it since. Changes that the run planned for later days are withdrawn. The safety limit holds for all calls together.',
      tag: 'Feeds',
      secured: true,
      parameters: { params: runParams, querystring: querySchema(undoParameters) },
      success: {
        status: 202,
        description: 'What is undone.',
        schema: FeedUndoReply,
        example: {
          status: 'success',
          message: 'Undo started.',
          data: { id: exampleRun.id, calls: 1, users: 14, changedSince: 2 },
        },
      },
      errors: [
        ...(['FEED_NOT_FOUND', 'FEED_RUN_NOT_FOUND', 'FEED_RUN_STATE_CONFLICT', 'FEED_BUSY'] as const),
        'CALL_EXCEEDS_SAFETY_LIMIT',
        'REQUEST_PARAMETER_INVALID',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const { key, run } = request.params;
      const { dryRun, confirm: confirmed } = readParameters(request.query, undoParameters);
      const { undo } = succeeded(
        dryRun
          ? await previewRunUndo(context, key, run, confirmed)
          : await startRunUndo(context, key, run, { caller: callerOf(request), confirmed }),
      );
      const message = dryRun ? 'Run found.' : 'Undo started.';
      return reply.code(202).send({ status: 'success', message, data: undo });
    },
  });
}
