import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorName } from '../../../contract/errors.js';
import {
  type PasskeyAssertion,
  PasskeyOptionsReply,
  passkeyFields,
  UsePasskey,
} from '../../../contract/factors.js';
import { SessionOpenedReply, SignedInReply } from '../../../contract/sign-in.js';
import { passkeyRequestOptions, signInWithPasskey } from '../../../domain/access/passkey-sign-in.js';
import { endReplacedSession } from '../../../domain/access/sessions.js';
import type { SignedIn } from '../../../domain/access/sign-in.js';
import { senderOf } from '../../authentication.js';
import { deviceOf } from '../../device.js';
import { bodyErrors, describeOperation, openErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import { checkOwnOrigin, sessionCookieOf } from '../../session-cookie.js';
import { passkeySiteOf } from './passkey-site.js';
import { handOver } from './session-token.js';
import { countedSignIn, exampleSession, type SignInRouteContext, signedInBody } from './sign-in.js';

const body = {
  types: ['application/json'],
  schema: UsePasskey,
  examples: {
    passkey: {
      summary: 'A passkey',
      value: {
        passkey: {
          id: 'mEk2m3wPZ0k',
          rawId: 'mEk2m3wPZ0k',
          type: 'public-key',
          response: { clientDataJSON: 'eyJ0eXBlIjoi', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQ' },
        },
      },
    },
  },
};
const errors: readonly ErrorName[] = [
  'ACCESS_PASSKEY_REFUSED',
  'ACCESS_PASSKEYS_UNAVAILABLE',
  'ACCESS_SIGN_IN_DELAYED',
  'ACCESS_LOCAL_SIGN_IN_OFF',
  'REQUEST_BODY_INVALID',
  ...bodyErrors,
  ...openErrors,
];
const config = { takes: ['application/json'], guesses: 'passwords' } as const;

/** A passkey replaces the password and the second factor. The console keeps its token in the cookie. */
export function passkeySignInRoutes(
  app: FastifyInstance,
  context: SignInRouteContext,
  publicUrl: string | undefined,
): void {
  optionsRoute(app, context, publicUrl);
  signInRoute(app, context, publicUrl);
  openSessionRoute(app, context, publicUrl);
}

function optionsRoute(
  app: FastifyInstance,
  context: SignInRouteContext,
  publicUrl: string | undefined,
): void {
  app.post('/service/auth/passkey/options', {
    config: { guesses: 'passwords' },
    schema: describeOperation({
      operationId: 'getPasskeyOptions',
      summary: 'Get what a browser needs to use a passkey',
      description:
        'For navigator.credentials.get(), to sign in or to prove again who one is. The challenge works once, for five minutes. The same for everybody: it says nothing about users.',
      tag: 'Sign-in',
      secured: false,
      success: {
        status: 200,
        description: 'The options.',
        schema: PasskeyOptionsReply,
        example: {
          status: 'success',
          message: 'Use a passkey.',
          data: {
            options: { rpId: 'people.example.com', challenge: '2Xq0…', userVerification: 'required' },
          },
        },
      },
      errors: ['ACCESS_PASSKEYS_UNAVAILABLE', ...openErrors],
    }),
    handler: async (request, reply) => {
      const options = await passkeyRequestOptions(context, passkeySiteOf(request, publicUrl));
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: 'Use a passkey.', data: { options } });
    },
  });
}

function signInRoute(app: FastifyInstance, context: SignInRouteContext, publicUrl: string | undefined): void {
  app.post('/service/auth/passkey/sign-in', {
    config,
    schema: describeOperation({
      operationId: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      description:
        'Needs neither a password nor another factor. Whatever is wrong with the passkey, the answer is the same.',
      tag: 'Sign-in',
      secured: false,
      body,
      success: {
        status: 200,
        description: 'A token for this user.',
        schema: SignedInReply,
        example: {
          status: 'success',
          message: 'Signed in.',
          data: { accessToken: 'rcs_…', tokenType: 'Bearer', ...exampleSession },
        },
      },
      errors,
    }),
    handler: async (request, reply) => {
      const signedIn = await signInWithBody(request, context, publicUrl);
      return reply.send(signedInBody(signedIn, handOver(request, reply, signedIn, false)));
    },
  });
}

function openSessionRoute(
  app: FastifyInstance,
  context: SignInRouteContext,
  publicUrl: string | undefined,
): void {
  app.post('/service/auth/passkey/open-session', {
    config,
    schema: describeOperation({
      operationId: 'openSessionWithPasskey',
      summary: 'Sign in to the console with a passkey',
      description:
        'As signInWithPasskey, but the token is in the cookie of the console, as with openSession.',
      tag: 'Sign-in',
      secured: false,
      body,
      success: {
        status: 200,
        description: 'The session. Its token is in the cookie.',
        schema: SessionOpenedReply,
        example: { status: 'success', message: 'Signed in.', data: exampleSession },
        headers: { 'Set-Cookie': 'The session.' },
      },
      errors: ['ACCESS_ORIGIN_REFUSED', ...errors],
    }),
    handler: async (request, reply) => {
      checkOwnOrigin(request, publicUrl);
      const signedIn = await signInWithBody(request, context, publicUrl);
      const replaced = sessionCookieOf(request);
      if (replaced !== undefined) await endReplacedSession(context.database, replaced);
      return reply.send(signedInBody(signedIn, handOver(request, reply, signedIn, true)));
    },
  });
}

async function signInWithBody(
  request: FastifyRequest,
  context: SignInRouteContext,
  publicUrl: string | undefined,
): Promise<SignedIn> {
  const site = passkeySiteOf(request, publicUrl);
  const { passkey } = readBody(request, passkeyFields);
  const sender = { ...senderOf(request), device: deviceOf(request) };
  const attempt = () => signInWithPasskey(context, site, passkey as PasskeyAssertion, sender);
  return succeeded(await countedSignIn(context.metrics, attempt)).signedIn;
}
