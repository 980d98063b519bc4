import type { FastifyInstance } from 'fastify';
import { CreatedReply, CreateUser } from '../../../contract/users.js';
import type { Context } from '../../../domain/context.js';
import { createUser } from '../../../domain/users/create-user.js';
import { parseNewUser } from '../../../domain/users/user-rules.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { idempotencyHeaders, markReplay, readIdempotencyKey, replayedHeader } from '../../idempotency-key.js';
import { describeOperation, keyErrors, userErrors } from '../../openapi.js';
import { originOf, requireBody } from '../../request-body.js';
import { exampleSerial, exampleUser } from './examples.js';

export function createUserRoute(app: FastifyInstance, context: Context): void {
  app.post('/service/users', {
    config: { scope: 'users:write', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createUser',
      summary: 'Create a user',
      description:
        'At least one of email and phone is required. Unknown fields are rejected. Absent, null and "" all mean empty.',
      tag: 'Users',
      secured: true,
      parameters: { headers: idempotencyHeaders },
      body: {
        types: ['application/json'],
        schema: CreateUser,
        examples: {
          whole: {
            summary: 'A user with every field',
            value: { ...exampleUser, password: 'correct horse battery staple' },
          },
          least: {
            summary: 'Only the required fields',
            value: { employeeID: 'E1002', name: 'Grace Hopper', phone: '+1 202 555 0147', isActive: true },
          },
        },
      },
      success: {
        status: 201,
        description: 'The user was created.',
        schema: CreatedReply,
        example: { status: 'success', message: 'User created.', data: { serial: exampleSerial } },
        headers: { Location: 'The path of the new user.', ...replayedHeader },
      },
      errors: [...keyErrors, ...userErrors],
    }),
    handler: async (request, reply) => {
      const body = requireBody(request);
      const parsed = parseNewUser(body.value, originOf(body), context.initialPasswords.check);
      if (!parsed.ok) return sendFailure(request, reply, parsed.failure);
      const key = await readIdempotencyKey(request, context.cipher);
      const created = await createUser(context, parsed.value, callerOf(request), key);
      markReplay(reply, created.isReplay);
      if (!created.ok) return sendFailure(request, reply, created.failure);
      const { serial } = created;
      return reply
        .code(201)
        .header('location', `/service/users/${serial}`)
        .send({ status: 'success', message: 'User created.', data: { serial } });
    },
  });
}
