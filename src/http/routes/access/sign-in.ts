import type { FastifyInstance } from 'fastify';
import { SignIn, signInFields } from '../../../contract/sign-in.js';
import { signIn } from '../../../domain/access/sign-in.js';
import { readBody } from '../../request-body.js';
import { openSessionRoutes, type SignInRouteContext } from './open-session.js';

const body = {
  types: ['application/json'],
  schema: SignIn,
  examples: {
    user: { summary: 'A user', value: { username: 'ada', password: 'correct horse battery staple' } },
  },
};

export function signInRoutes(
  app: FastifyInstance,
  context: SignInRouteContext,
  givenUrl: string | undefined,
): void {
  openSessionRoutes(app, context, givenUrl, {
    forPrograms: {
      url: '/service/auth/sign-in',
      operationId: 'signIn',
      summary: 'Sign in as a user',
      description:
        'With username (ignoring case) and password. If secondFactor is required or enrol, the session can be used once a second factor was given or added. A wrong password, an unknown username and a deactivated user get the same answer. Failures of a username or an address delay the next attempt.',
    },
    forConsole: {
      url: '/service/auth/open-session',
      operationId: 'openSession',
      summary: 'Sign in to the console',
      description:
        'As signIn, but the token is in a cookie that only the console can use: scripts cannot read it, and it changes something only in requests of its own pages. The session that the cookie held before ends.',
    },
    body,
    errors: ['ACCESS_SIGN_IN_FAILED', 'ACCESS_PASSWORD_EXPIRED', 'ACCESS_LOCAL_SIGN_IN_OFF'],
    attempt: (request, sender) => {
      const { username, password } = readBody(request, signInFields);
      return signIn(context, { username: username as string, password: password as string }, sender);
    },
  });
}
