import type { FastifyInstance } from 'fastify';
import {
  CheckLink,
  checkLinkFields,
  ForgotPassword,
  forgotPasswordFields,
  ResetWithLink,
  resetWithLinkFields,
  SignInMethodsReply,
} from '../../../contract/recovery.js';
import { DoneReply } from '../../../contract/sign-in.js';
import { offersRecovery, requestLink } from '../../../domain/recovery/request-link.js';
import {
  checkPasswordLink,
  resetPasswordWithLink,
  type UseLinkContext,
} from '../../../domain/recovery/use-link.js';
import type { IdentityProvider } from '../../../domain/sso/identity-provider.js';
import { senderOf } from '../../authentication.js';
import { bodyErrors, describeOperation, openErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';

const linkErrors = [
  'ACCESS_LOCAL_SIGN_IN_OFF',
  'ACCESS_PASSWORD_LINK_INVALID',
  'REQUEST_BODY_INVALID',
  ...bodyErrors,
  ...openErrors,
] as const;
const config = { takes: ['application/json'], guesses: 'passwords' } as const;

export function signInMethodsRoute(
  app: FastifyInstance,
  context: UseLinkContext,
  provider: IdentityProvider | undefined,
): void {
  const methods = {
    password: context.localSignIn,
    recovery: offersRecovery(context),
    provider: provider ? { name: provider.settings.name ?? null } : null,
  };
  app.get('/service/auth/methods', {
    schema: describeOperation({
      operationId: 'listSignInMethods',
      summary: 'Show how users can sign in',
      description: 'For sign-in pages.',
      tag: 'Sign-in',
      secured: false,
      success: {
        status: 200,
        description: 'What the sign-in page offers.',
        schema: SignInMethodsReply,
        example: {
          status: 'success',
          message: 'Methods found.',
          data: { password: 'administrators', recovery: true, provider: { name: 'Example Corp' } },
        },
      },
      errors: openErrors,
    }),
    handler: async (_request, reply) =>
      reply.send({ status: 'success', message: 'Methods found.', data: methods }),
  });
}

export function forgotPasswordRoute(app: FastifyInstance, context: UseLinkContext): void {
  const reply202 = {
    status: 'success',
    message: 'If somebody with this name can sign in with a password, a link is on its way.',
    data: {},
  };
  app.post('/service/auth/forgot-password', {
    config,
    schema: describeOperation({
      operationId: 'forgotPassword',
      summary: 'Request a link to a new password',
      description:
        'Sends the link by email, or by SMS to a user without an email. The reply is the same whether or not there is such a user. Several requests for a name, or from an address, delay the next one.',
      tag: 'Sign-in',
      secured: false,
      body: {
        types: ['application/json'],
        schema: ForgotPassword,
        examples: { user: { summary: 'A user', value: { username: 'ada' } } },
      },
      success: { status: 202, description: 'Accepted.', schema: DoneReply, example: reply202 },
      errors: [
        'ACCESS_LOCAL_SIGN_IN_OFF',
        'ACCESS_SIGN_IN_DELAYED',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...openErrors,
      ],
    }),
    handler: async (request, reply) => {
      const { username } = readBody(request, forgotPasswordFields);
      succeeded(await requestLink(context, username as string, senderOf(request)));
      return reply.code(202).send(reply202);
    },
  });
}

export function checkLinkRoute(app: FastifyInstance, context: UseLinkContext): void {
  const valid = { status: 'success', message: 'The link can be used.', data: {} };
  app.post('/service/auth/check-password-link', {
    config,
    schema: describeOperation({
      operationId: 'checkPasswordLink',
      summary: 'Check a link to a new password',
      description:
        'For the page that a link opens: whether the link can still be used. The link stays as it is.',
      tag: 'Sign-in',
      secured: false,
      body: {
        types: ['application/json'],
        schema: CheckLink,
        examples: { link: { summary: 'A link', value: { token: 'rcl_…' } } },
      },
      success: { status: 200, description: 'The link can be used.', schema: DoneReply, example: valid },
      errors: linkErrors,
    }),
    handler: async (request, reply) => {
      const { token } = readBody(request, checkLinkFields);
      succeeded(await checkPasswordLink(context, token as string));
      return reply.send(valid);
    },
  });
}

export function resetWithLinkRoute(app: FastifyInstance, context: UseLinkContext): void {
  const done = { status: 'success', message: 'Password changed. Sign in with the new one.', data: {} };
  app.post('/service/auth/reset-password-with-link', {
    config,
    schema: describeOperation({
      operationId: 'resetPasswordWithLink',
      summary: 'Choose a new password with a link',
      description:
        'The link works once, for 15 minutes. All sessions of the user end. Second factors stay as they are.',
      tag: 'Sign-in',
      secured: false,
      body: {
        types: ['application/json'],
        schema: ResetWithLink,
        examples: {
          link: { summary: 'A link', value: { token: 'rcl_…', newPassword: 'correct horse battery staple' } },
        },
      },
      success: {
        status: 200,
        description: 'The new password is in effect.',
        schema: DoneReply,
        example: done,
      },
      errors: ['ACCESS_PASSWORD_REFUSED', ...linkErrors],
    }),
    handler: async (request, reply) => {
      const { token, newPassword } = readBody(request, resetWithLinkFields);
      const sent = { token: token as string, newPassword: newPassword as string };
      succeeded(await resetPasswordWithLink(context, sent, senderOf(request)));
      return reply.send(done);
    },
  });
}
