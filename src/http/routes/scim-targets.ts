import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ErrorName } from '../../contract/errors.js';
import { scimTargetLimits } from '../../contract/limits.js';
import {
  CreateScimTarget,
  createTargetFields,
  PatchScimTarget,
  patchTargetFields,
  ScimDifferenceListReply,
  ScimPushFailuresReply,
  ScimTargetDeletedReply,
  ScimTargetListReply,
  ScimTargetReply,
} from '../../contract/scim-targets.js';
import type { Caller } from '../../domain/caller.js';
import type { Database } from '../../domain/database.js';
import {
  compareScimTarget,
  createScimTarget,
  deleteScimTarget,
  getScimTarget,
  listScimDifferences,
  listScimPushFailures,
  listScimTargets,
  repairScimTarget,
  type ScimTargetChange,
  type ScimTargetContext,
  syncScimTarget,
  updateScimTarget,
} from '../../domain/provisioning/targets.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';

const exampleTarget = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5e',
  name: 'Wiki',
  url: 'https://wiki.example.com/scim/v2',
  organizationSerials: [],
  tagSerials: [],
  sendsGroups: true,
  sendsSensitive: false,
  onDeactivate: 'deactivate',
  requestsPerSecond: scimTargetLimits.requestsPerSecondDefault,
  isPaused: false,
  pausedBecause: null,
  isSyncing: false,
  users: 4711,
  groups: 12,
  queued: 3,
  failed: 1,
  lastPushAt: '2026-11-15T08:30:01.000Z',
  failingSince: null,
  nextAttemptAt: null,
  lastError: null,
  lastStatus: null,
  comparison: {
    startedAt: '2026-11-15T08:30:00.000Z',
    endedAt: '2026-11-15T08:31:00.000Z',
    compared: 4711,
    groupsCompared: 12,
    total: 4711,
    missing: 1,
    extra: 0,
    different: 2,
    error: null,
  },
  createdAt: '2026-11-01T08:30:00.000Z',
};

const defaults = {
  organizationSerials: [],
  tagSerials: [],
  sendsGroups: false,
  sendsSensitive: false,
  onDeactivate: 'deactivate',
  requestsPerSecond: scimTargetLimits.requestsPerSecondDefault,
} as const;

const params = Type.Object({
  id: Type.String({ description: 'The ID of the target.', examples: [exampleTarget.id] }),
});

type TargetRequest = { Params: { id: string } };

const targetReply = (description: string, message: string) => ({
  status: 200,
  description,
  schema: ScimTargetReply,
  example: { status: 'success', message, data: exampleTarget },
});

export function scimTargetRoutes(app: FastifyInstance, context: ScimTargetContext): void {
  const { database } = context;
  createRoute(app, context);
  listRoute(app, database, {
    url: '/service/scim/targets',
    scope: 'access:admin',
    operationId: 'listScimTargets',
    summary: 'List SCIM targets',
    description: 'Sorted by creation, with their state.',
    tag: 'Provisioning',
    noun: 'SCIM targets',
    reply: ScimTargetListReply,
    example: exampleTarget,
    page: listScimTargets,
  });
  getRoute(app, database);
  updateRoute(app, context);
  deleteRoute(app, database);
  actionRoute(app, {
    action: 'sync',
    operationId: 'syncScimTarget',
    summary: 'Sync a SCIM target',
    description: 'Sends everybody again, in the background. Changes go first.',
    message: 'Everybody is pushed again.',
    act: (id, caller) => syncScimTarget(context, id, caller),
  });
  actionRoute(app, {
    action: 'compare',
    operationId: 'compareScimTarget',
    summary: 'Compare a SCIM target',
    description:
      'Reads all users of the target in the background, and replaces the last comparison. `comparison` shows the progress.',
    message: 'The comparison has started.',
    act: (id, caller) => compareScimTarget(database, id, caller),
  });
  actionRoute(app, {
    action: 'repair',
    operationId: 'repairScimTarget',
    summary: 'Repair a SCIM target',
    description: `Pushes the users of the last comparison who differ, up to ${scimTargetLimits.differencesKept}. Users of the target who are unknown here stay as they are.`,
    message: 'The differences are repaired.',
    act: (id, caller) => repairScimTarget(database, id, caller),
  });
  listRoute<{ id: string }>(app, database, {
    url: '/service/scim/targets/:id/differences',
    scope: 'access:admin',
    operationId: 'listScimDifferences',
    summary: 'List the differences of a SCIM target',
    description: `What the last comparison has found, up to ${scimTargetLimits.differencesKept} of them. Names of attributes, without their values.`,
    tag: 'Provisioning',
    noun: 'Differences',
    params,
    reply: ScimDifferenceListReply,
    example: {
      id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5d',
      kind: 'different',
      userSerial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
      tagSerial: null,
      remoteId: '2819c223',
      fields: ['displayName'],
    },
    errors: ['SCIM_TARGET_NOT_FOUND'],
    page: (database, page, { params: { id } }) => listScimDifferences(database, id, page),
  });
  listRoute<{ id: string }>(app, database, {
    url: '/service/scim/targets/:id/failures',
    scope: 'access:admin',
    operationId: 'listScimPushFailures',
    summary: 'List failed pushes to a SCIM target',
    description: 'Users and groups whose last attempt failed. They are tried again.',
    tag: 'Provisioning',
    noun: 'Failures',
    params,
    reply: ScimPushFailuresReply,
    example: {
      ...{ kind: 'user', serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', attempts: 3 },
      ...{ error: 'conflict', status: 409, nextAttemptAt: '2026-11-15T08:35:00.000Z' },
    },
    errors: ['SCIM_TARGET_NOT_FOUND'],
    page: (database, page, { params: { id } }) => listScimPushFailures(database, id, page),
  });
}

function createRoute(app: FastifyInstance, context: ScimTargetContext): void {
  const message = 'SCIM target created.';
  app.post('/service/scim/targets', {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
    schema: describeOperation({
      operationId: 'createScimTarget',
      summary: 'Create a SCIM target',
      description:
        'Users, and groups if requested, are pushed to another SCIM service: first everybody, then every change. Existing users there are matched by `externalId`, which is the serial, and then by `userName`.',
      tag: 'Provisioning',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateScimTarget,
        examples: {
          wiki: {
            summary: 'Users and groups',
            value: { name: 'Wiki', url: exampleTarget.url, token: 'eyJhbGciOi', sendsGroups: true },
          },
        },
      },
      success: {
        ...targetReply('The target.', message),
        status: 201,
        headers: { Location: 'The path of the new target.' },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'SCIM_TARGET_URL_REFUSED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, createTargetFields);
      const settings = {
        name: given.name as string, // required
        url: given.url as string, // required
        token: given.token as string, // required
        organizationSerials: given.organizationSerials ?? defaults.organizationSerials,
        tagSerials: given.tagSerials ?? defaults.tagSerials,
        sendsGroups: given.sendsGroups ?? defaults.sendsGroups,
        sendsSensitive: given.sendsSensitive ?? defaults.sendsSensitive,
        onDeactivate: given.onDeactivate ?? defaults.onDeactivate,
        requestsPerSecond: given.requestsPerSecond ?? defaults.requestsPerSecond,
      };
      const { target } = succeeded(await createScimTarget(context, settings, callerOf(request)));
      return reply
        .code(201)
        .header('location', `/service/scim/targets/${target.id}`)
        .send({ status: 'success', message, data: target });
    },
  });
}

function getRoute(app: FastifyInstance, database: Database): void {
  const message = 'SCIM target found.';
  app.get<TargetRequest>('/service/scim/targets/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getScimTarget',
      summary: 'Read a SCIM target',
      description: 'Includes its queue, why the last request failed, and the last comparison.',
      tag: 'Provisioning',
      secured: true,
      parameters: { params },
      success: targetReply('The target.', message),
      errors: ['SCIM_TARGET_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { target } = succeeded(await getScimTarget(database, request.params.id));
      return reply.send({ status: 'success', message, data: target });
    },
  });
}

function updateRoute(app: FastifyInstance, context: ScimTargetContext): void {
  const message = 'SCIM target updated.';
  app.patch<TargetRequest>('/service/scim/targets/:id', {
    config: {
      scope: 'access:admin',
      takes: ['application/merge-patch+json', 'application/json'],
      isSensitive: true,
    },
    schema: describeOperation({
      operationId: 'updateScimTarget',
      summary: 'Update a SCIM target',
      description:
        'isPaused false also resumes a target that the service has paused; it continues where it stopped. A change of what is pushed starts a sync.',
      tag: 'Provisioning',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/merge-patch+json', 'application/json'],
        schema: PatchScimTarget,
        examples: { resume: { summary: 'Resume a target', value: { isPaused: false } } },
      },
      success: targetReply('The updated target.', message),
      errors: ['ACCESS_PROOF_REQUIRED', 'SCIM_TARGET_NOT_FOUND', 'SCIM_TARGET_URL_REFUSED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, patchTargetFields, { partial: true });
      const change = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          name,
          value ?? defaults[name as keyof typeof defaults],
        ]),
      ) as ScimTargetChange;
      const updated = await updateScimTarget(context, request.params.id, change, callerOf(request));
      return reply.send({ status: 'success', message, data: succeeded(updated).target });
    },
  });
}

function deleteRoute(app: FastifyInstance, database: Database): void {
  const message = 'SCIM target deleted.';
  app.delete<TargetRequest>('/service/scim/targets/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'deleteScimTarget',
      summary: 'Delete a SCIM target',
      description: 'What was pushed stays there. To stop for a while, set isPaused to true instead.',
      tag: 'Provisioning',
      secured: true,
      parameters: { params },
      success: {
        ...{ status: 200, description: 'Nothing more is pushed to it.', schema: ScimTargetDeletedReply },
        example: { status: 'success', message, data: { id: exampleTarget.id } },
      },
      errors: ['SCIM_TARGET_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      succeeded(await deleteScimTarget(database, id, callerOf(request)));
      return reply.send({ status: 'success', message, data: { id } });
    },
  });
}

interface TargetAction {
  readonly action: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  act(id: string, caller: Caller): ReturnType<typeof getScimTarget>;
}

/** Starts something that goes on in the background. */
function actionRoute(app: FastifyInstance, { action, message, act, ...described }: TargetAction): void {
  const errors: readonly ErrorName[] = ['SCIM_TARGET_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'];
  app.post<TargetRequest>(`/service/scim/targets/:id/${action}`, {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      ...described,
      tag: 'Provisioning',
      secured: true,
      parameters: { params },
      success: targetReply('The target.', message),
      errors,
    }),
    handler: async (request, reply) => {
      const { target } = succeeded(await act(request.params.id, callerOf(request)));
      return reply.send({ status: 'success', message, data: target });
    },
  });
}
