import type { FastifyInstance } from 'fastify';
import {
  type PasskeyAssertion,
  PasskeyOptionsReply,
  passkeyFields,
  UsePasskey,
} from '../../../contract/factors.js';
import { passkeyRequestOptions, signInWithPasskey } from '../../../domain/access/passkey-sign-in.js';
import { describeOperation, openErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { openSessionRoutes, type SignInRouteContext } from './open-session.js';
import { passkeySiteOf } from './passkey-site.js';

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

/** A passkey replaces the password and the second factor. */
export function passkeySignInRoutes(
  app: FastifyInstance,
  context: SignInRouteContext,
  publicUrl: string | undefined,
): void {
  optionsRoute(app, context, publicUrl);
  openSessionRoutes(app, context, publicUrl, {
    forPrograms: {
      url: '/service/auth/passkey/sign-in',
      operationId: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      description:
        'Needs neither a password nor another factor. Whatever is wrong with the passkey, the answer is the same.',
    },
    forConsole: {
      url: '/service/auth/passkey/open-session',
      operationId: 'openSessionWithPasskey',
      summary: 'Sign in to the console with a passkey',
      description:
        'As signInWithPasskey, but the token is in the cookie of the console, as with openSession.',
    },
    body,
    errors: ['ACCESS_PASSKEY_REFUSED', 'ACCESS_PASSKEYS_UNAVAILABLE', 'ACCESS_LOCAL_SIGN_IN_OFF'],
    attempt: (request, sender) => {
      const site = passkeySiteOf(request, publicUrl);
      const { passkey } = readBody(request, passkeyFields);
      return signInWithPasskey(context, site, passkey as PasskeyAssertion, sender);
    },
  });
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
