import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { attributeView } from '../../../contract/attributes.js';
import { type ConfirmedField, confirmedFields } from '../../../contract/enums.js';
import {
  ConfirmContact,
  confirmContactFields,
  OwnHistoryReply,
  OwnProfileReply,
  PatchOwnProfile,
} from '../../../contract/own-profile.js';
import { DoneReply } from '../../../contract/sign-in.js';
import { loadAttributes } from '../../../domain/attributes/attribute-facts.js';
import {
  changeOwnProfile,
  confirmContact,
  type OwnProfileContext,
  ownAttributeReader,
  ownHistory,
  readOwnProfile,
  withdrawContact,
} from '../../../domain/profile/own-profile.js';
import { parseOwnChange } from '../../../domain/users/user-rules.js';
import { callerOf, userActorOf } from '../../authentication.js';
import { listRoute } from '../../list-route.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { invalidParameter } from '../../query.js';
import { originOf, readBody, requireBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import { exampleUserView } from '../users/examples.js';

const profileUrl = '/service/me/profile';
const mediaTypes = ['application/merge-patch+json', 'application/json'];
const gone = ['USER_NOT_FOUND', 'USER_ERASED', 'ACCESS_USER_REQUIRED'] as const;
const changeErrors = [
  ...gone,
  'ACCESS_FIELD_NOT_EDITABLE',
  'USER_ATTRIBUTE_EXISTS',
  'USER_CONTACT_REQUIRED',
  'USER_FIELD_INVALID',
  'USER_FIELD_NOT_ACCEPTED',
  'USER_FIELD_REQUIRED',
  'USER_NOT_AN_OBJECT',
] as const;

export function ownProfileRoutes(app: FastifyInstance, context: OwnProfileContext): void {
  getRoute(app, context);
  changeRoute(app, context);
  confirmRoute(app, context);
  withdrawRoute(app, context);
  historyRoute(app, context);
}

function getRoute(app: FastifyInstance, context: OwnProfileContext): void {
  app.get(profileUrl, {
    config: { scope: 'any', usersOnly: true },
    schema: describeOperation({
      operationId: 'getOwnProfile',
      summary: 'Show what is stored about oneself',
      description:
        'For every user who signed in, with or without a role: their fields, manager and reports, and what the company lets them change.',
      tag: 'Sign-in',
      secured: true,
      success: profileReply('The user.', 'User found.'),
      errors: [...gone, ...commonErrors],
    }),
    handler: async (request, reply) => sendProfile(reply, context, userActorOf(request).id, 'User found.'),
  });
}

function changeRoute(app: FastifyInstance, context: OwnProfileContext): void {
  app.patch(profileUrl, {
    config: { scope: 'any', usersOnly: true, isSensitive: true, takes: mediaTypes },
    schema: describeOperation({
      operationId: 'changeOwnProfile',
      summary: 'Change fields of oneself',
      description:
        'A JSON merge patch (RFC 7396) with the fields that the company lets users change. A new email or phone is stored once the code sent to it is entered; to get another code, send it again.',
      tag: 'Sign-in',
      secured: true,
      body: {
        types: mediaTypes,
        schema: PatchOwnProfile,
        examples: { phone: { summary: 'A new phone', value: { phone: '+44 20 7946 0958' } } },
      },
      success: profileReply('The user, with the contacts that wait to be confirmed.', 'Saved.'),
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'ACCESS_CODES_EXHAUSTED',
        ...changeErrors,
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const actor = userActorOf(request);
      const body = requireBody(request);
      const definitions = await loadAttributes(context.database.pool);
      const { value } = succeeded(
        parseOwnChange(body.value, originOf(body), ownAttributeReader(definitions)),
      );
      succeeded(await changeOwnProfile(context, actor, value, callerOf(request)));
      return sendProfile(reply, context, actor.id, 'Saved.');
    },
  });
}

function confirmRoute(app: FastifyInstance, context: OwnProfileContext): void {
  app.post(`${profileUrl}/confirm`, {
    config: { scope: 'any', usersOnly: true, takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'confirmContact',
      summary: 'Confirm a new email or phone',
      description: 'Stores it, if the code is the one that was sent to it. Five attempts are free.',
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: ConfirmContact,
        examples: { email: { value: { field: 'email', code: '4820 1763' } } },
      },
      success: profileReply('The user, with the new contact.', 'Confirmed.'),
      errors: [
        'ACCESS_CODE_WRONG',
        'ACCESS_FIELD_NOT_EDITABLE',
        'USER_CONTACT_REQUIRED',
        ...gone,
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const actor = userActorOf(request);
      const { field, code } = readBody(request, confirmContactFields);
      const sent = { field: field as ConfirmedField, code: code as string }; // required
      succeeded(await confirmContact(context, actor, sent, callerOf(request)));
      return sendProfile(reply, context, actor.id, 'Confirmed.');
    },
  });
}

const fieldParameter = Type.Object({
  field: Type.String({ enum: [...confirmedFields], examples: ['email'] }),
});

function withdrawRoute(app: FastifyInstance, { database }: OwnProfileContext): void {
  app.delete<{ Params: { field: string } }>(`${profileUrl}/:field`, {
    config: { scope: 'any', usersOnly: true },
    schema: describeOperation({
      operationId: 'withdrawContact',
      summary: 'Withdraw a new email or phone',
      description: 'The one that waits for its code. The stored one is unchanged.',
      tag: 'Sign-in',
      secured: true,
      parameters: { params: fieldParameter },
      success: {
        status: 200,
        description: 'Nothing waits for a code anymore.',
        schema: DoneReply,
        example: { status: 'success', message: 'Withdrawn.', data: {} },
      },
      errors: [
        'ACCESS_USER_REQUIRED',
        'REQUEST_PARAMETER_INVALID',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const field = confirmedFields.find((each) => each === request.params.field);
      if (!field) throw invalidParameter('field', `must be one of ${confirmedFields.join(', ')}.`);
      await withdrawContact(database, userActorOf(request), field);
      return reply.send({ status: 'success', message: 'Withdrawn.', data: {} });
    },
  });
}

function historyRoute(app: FastifyInstance, { database }: OwnProfileContext): void {
  listRoute(app, database, {
    url: '/service/me/history',
    scope: 'any',
    usersOnly: true,
    operationId: 'getOwnHistory',
    summary: 'Show how oneself was changed',
    description: 'Newest first. It says whether a person or a program made a change, not who.',
    tag: 'Sign-in',
    noun: 'Changes',
    reply: OwnHistoryReply,
    example: {
      sequence: 4_711,
      at: '2026-11-15T08:30:00.000Z',
      kind: 'updated',
      by: 'self',
      fields: { phone: { before: null, after: '+44 20 7946 0958' } },
    },
    errors: ['ACCESS_USER_REQUIRED'],
    page: (database, page, { actor }) => ownHistory(database, actor.id, page),
  });
}

async function sendProfile(
  reply: FastifyReply,
  context: OwnProfileContext,
  serial: string,
  message: string,
): Promise<FastifyReply> {
  const { ok: _, attributes, ...profile } = succeeded(await readOwnProfile(context, serial));
  const data = { ...profile, attributes: attributes.map(attributeView) };
  return reply.header('cache-control', 'no-store').send({ status: 'success', message, data });
}

function profileReply(description: string, message: string) {
  return {
    status: 200,
    description,
    schema: OwnProfileReply,
    example: {
      status: 'success',
      message,
      data: {
        user: exampleUserView,
        organizationName: 'Sales',
        tagNames: ['Remote'],
        attributes: [],
        editable: ['phone'],
        confirmations: [{ field: 'phone', value: '+44 20 7946 0958', expiresAt: '2026-11-15T08:45:00.000Z' }],
        reports: [],
        hasMoreReports: false,
      },
    },
  };
}
