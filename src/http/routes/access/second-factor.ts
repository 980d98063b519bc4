import type { FastifyInstance } from 'fastify';
import { FactorsResetReply, factorFields, GiveFactor } from '../../../contract/factors.js';
import { RenewedReply } from '../../../contract/sign-in.js';
import { type GiveFactorContext, giveFactor } from '../../../domain/access/give-factor.js';
import { type ResetFactorsContext, resetFactors } from '../../../domain/access/reset-factors.js';
import { callerOf, userActorOf } from '../../authentication.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import { exampleSerial } from '../users/examples.js';
import { serialParameter } from '../users/get-user.js';
import { handOver } from './session-token.js';

/** The second step of a sign-in with a password. */
export function giveFactorRoute(app: FastifyInstance, context: GiveFactorContext): void {
  app.post('/service/auth/factor', {
    config: { scope: 'any', usersOnly: true, mayLack: 'factor', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'giveFactor',
      summary: 'Give the second factor',
      description:
        'Completes a session whose secondFactor is required, with a code of an authenticator app or a recovery code; each works once. The session goes on with another token. Failures delay the next attempt, as those of passwords do. A passkey needs no password: see signInWithPasskey.',
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: GiveFactor,
        examples: {
          app: { summary: 'From an app', value: { code: '492 039' } },
          recovery: { summary: 'A recovery code', value: { code: '7KQ2-M9XW-4HTV-B3RD-N8PZ-6CYF' } },
        },
      },
      success: {
        status: 200,
        description: 'The session is complete.',
        schema: RenewedReply,
        example: {
          status: 'success',
          message: 'Signed in.',
          data: { accessToken: 'rcs_…', tokenType: 'Bearer', expiresIn: 43_000 },
        },
      },
      errors: [
        'ACCESS_FACTOR_CODE_WRONG',
        'ACCESS_SIGN_IN_DELAYED',
        'ACCESS_USER_REQUIRED',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const { code } = readBody(request, factorFields);
      const given = await giveFactor(context, userActorOf(request), code as string, callerOf(request));
      const data = handOver(request, reply, succeeded(given).session);
      return reply.send({ status: 'success', message: 'Signed in.', data });
    },
  });
}

export function resetFactorsRoute(app: FastifyInstance, context: ResetFactorsContext): void {
  app.delete<{ Params: { serial: string } }>('/service/users/:serial/factors', {
    config: { scope: 'access:admin', isSensitive: true },
    schema: describeOperation({
      operationId: 'resetFactors',
      summary: 'Remove all second factors of a user',
      description:
        'For users who have lost them. Their recovery codes and sessions end, too, and they are notified. They sign in with their password, and add new factors.',
      tag: 'Access',
      secured: true,
      parameters: { params: serialParameter },
      success: {
        status: 200,
        description: 'The user has none.',
        schema: FactorsResetReply,
        example: {
          status: 'success',
          message: 'Second factors removed.',
          data: { serial: exampleSerial, removed: 2 },
        },
      },
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'USER_NOT_FOUND',
        'USER_ERASED',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const { serial } = request.params;
      const { removed } = succeeded(await resetFactors(context, serial, callerOf(request)));
      return reply.send({ status: 'success', message: 'Second factors removed.', data: { serial, removed } });
    },
  });
}
