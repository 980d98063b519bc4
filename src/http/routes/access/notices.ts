import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  type NoticeChoices,
  NoticeChoicesReply,
  noticeChoicesFields,
  PatchNoticeChoices,
} from '../../../contract/notices.js';
import type { Database } from '../../../domain/database.js';
import { getNoticeChoices, type OwnNotices, setNoticeChoices } from '../../../domain/notices/choices.js';
import { userActorOf } from '../../authentication.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';

const noticesUrl = '/service/me/notices';

const userErrors = ['USER_NOT_FOUND', 'USER_ERASED', 'ACCESS_USER_REQUIRED'] as const;

export function noticeChoicesRoutes(app: FastifyInstance, database: Database): void {
  app.get(noticesUrl, {
    config: { scope: 'any', usersOnly: true },
    schema: describeOperation({
      operationId: 'getNoticeChoices',
      summary: 'Show which notices one gets',
      description:
        'Notices tell users with a role by email what needs them, such as a bulk call that awaits approval. For the user who signed in.',
      tag: 'Sign-in',
      secured: true,
      success: choicesReply('The topics that the role allows.', 'Notices found.'),
      errors: [...userErrors, ...commonErrors],
    }),
    handler: async (request, reply) =>
      sendChoices(reply, await getNoticeChoices(database, userActorOf(request)), 'Notices found.'),
  });

  app.patch(noticesUrl, {
    config: { scope: 'any', usersOnly: true, takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'setNoticeChoices',
      summary: 'Choose which notices one gets',
      description:
        'For the user who signed in. Topics that are not sent stay as they are. Until a user chooses, the role decides. A topic that the role does not allow is kept for one that does.',
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: PatchNoticeChoices,
        examples: { noApprovals: { value: { topics: { callApproval: false } } } },
      },
      success: choicesReply('The topics that the role allows, as they are now.', 'Notices changed.'),
      errors: [...userErrors, 'REQUEST_BODY_INVALID', ...bodyErrors, ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { topics } = readBody(request, noticeChoicesFields);
      const chosen = topics as NoticeChoices; // required
      const set = await setNoticeChoices(database, userActorOf(request), chosen);
      return sendChoices(reply, set, 'Notices changed.');
    },
  });
}

const choicesReply = (description: string, message: string) => ({
  status: 200,
  description,
  schema: NoticeChoicesReply,
  example: {
    status: 'success',
    message,
    data: {
      topics: { feedFailed: false, feedStopped: true, feedDigest: false, callApproval: true },
      email: 'ada@example.com',
    },
  },
});

function sendChoices(reply: FastifyReply, found: OwnNotices, message: string): FastifyReply {
  const { topics, email } = succeeded(found);
  return reply.send({ status: 'success', message, data: { topics, email } });
}
