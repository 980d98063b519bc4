import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  AddPasskey,
  FactorAddedReply,
  FactorListReply,
  FactorReply,
  factorFields,
  factorNameFields,
  GiveFactor,
  NameFactor,
  newPasskeyFields,
  type PasskeyAttestation,
  PasskeyOptionsReply,
  RecoveryCodesReply,
  StartTotp,
  startTotpFields,
  TotpStartedReply,
} from '../../../contract/factors.js';
import { DoneReply } from '../../../contract/sign-in.js';
import {
  addPasskey,
  confirmTotp,
  listOwnFactors,
  type OwnFactorContext,
  passkeyCreationOptions,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  startTotp,
} from '../../../domain/access/own-factors.js';
import { callerOf, userActorOf } from '../../authentication.js';
import { deviceOf } from '../../device.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import { passkeySiteOf } from './passkey-site.js';
import { handOver } from './session-token.js';

const factorsUrl = '/service/me/factors';
const forUsers = { scope: 'any', usersOnly: true } as const;
/** Until a proof is old, and without one for users whose session waits for their first factor. */
const adding = { ...forUsers, isSensitive: true, mayLack: 'enrolment' } as const;
const json = { takes: ['application/json'] } as const;

export const exampleFactor = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b60',
  kind: 'totp',
  name: 'Phone',
  createdAt: '2026-11-15T08:30:00.000Z',
  lastUsedAt: null,
};
const exampleCodes = ['7KQ2-M9XW-4HTV-B3RD-N8PZ-6CYF'];
const addedData = {
  factor: exampleFactor,
  recoveryCodes: exampleCodes,
  accessToken: 'rcs_…',
  tokenType: 'Bearer',
  expiresIn: 41_000,
};
const idParams = Type.Object({
  id: Type.String({ description: 'The ID of the factor.', examples: [exampleFactor.id] }),
});
const userErrors = ['ACCESS_USER_REQUIRED', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'] as const;
const withBody = ['REQUEST_BODY_INVALID', ...bodyErrors, ...userErrors] as const;

export function ownFactorRoutes(
  app: FastifyInstance,
  context: OwnFactorContext,
  publicUrl: string | undefined,
): void {
  listRoute(app, context);
  startTotpRoute(app, context);
  confirmTotpRoute(app, context);
  passkeyOptionsRoute(app, context, publicUrl);
  addPasskeyRoute(app, context, publicUrl);
  renameRoute(app, context);
  removeRoute(app, context);
  recoveryCodesRoute(app, context);
}

function listRoute(app: FastifyInstance, context: OwnFactorContext): void {
  app.get(factorsUrl, {
    config: { ...forUsers, mayLack: 'enrolment' },
    schema: describeOperation({
      operationId: 'listOwnFactors',
      summary: "List one's second factors",
      description: 'Oldest first, and how many recovery codes are left.',
      tag: 'Sign-in',
      secured: true,
      success: {
        status: 200,
        description: 'The factors.',
        schema: FactorListReply,
        example: {
          status: 'success',
          message: 'Factors found.',
          data: { factors: [exampleFactor], recoveryCodesLeft: 10 },
        },
      },
      errors: ['ACCESS_USER_REQUIRED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const data = await listOwnFactors(context, userActorOf(request).id);
      return reply.send({ status: 'success', message: 'Factors found.', data });
    },
  });
}

function startTotpRoute(app: FastifyInstance, context: OwnFactorContext): void {
  app.post(`${factorsUrl}/totp`, {
    config: { ...adding, ...json },
    schema: describeOperation({
      operationId: 'startTotp',
      summary: 'Get the secret for an authenticator app',
      description:
        'The app counts once its first code was entered, with confirmTotp. Starting again replaces the secret.',
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: StartTotp,
        examples: { phone: { summary: 'A phone', value: { name: 'Phone' } } },
      },
      success: {
        status: 201,
        description: 'The secret, which is shown only here.',
        schema: TotpStartedReply,
        example: {
          status: 'success',
          message: 'Enter the first code of the app.',
          data: {
            id: exampleFactor.id,
            secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
            uri: 'otpauth://totp/Rollcall:ada?issuer=Rollcall&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
          },
        },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'ACCESS_FACTOR_TOO_MANY', ...withBody],
    }),
    handler: async (request, reply) => {
      const { name } = readBody(request, startTotpFields);
      const { started } = succeeded(
        await startTotp(context, userActorOf(request), name ?? 'Authenticator app'),
      );
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: 'Enter the first code of the app.', data: started });
    },
  });
}

function addedReply(description: string) {
  return {
    status: 201,
    description,
    schema: FactorAddedReply,
    example: { status: 'success', message: 'Factor added.', data: addedData },
  };
}

const addedText =
  'The session goes on with another token, and is complete if it waited for a factor. With the first factor come recovery codes.';

function confirmTotpRoute(app: FastifyInstance, context: OwnFactorContext): void {
  app.post(`${factorsUrl}/totp/confirm`, {
    config: { ...adding, ...json },
    schema: describeOperation({
      operationId: 'confirmTotp',
      summary: 'Add an authenticator app',
      description: `The first code proves that the app has the secret. ${addedText}`,
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: GiveFactor,
        examples: { code: { summary: 'The first code', value: { code: '492039' } } },
      },
      success: addedReply('The app was added.'),
      errors: ['ACCESS_PROOF_REQUIRED', 'ACCESS_FACTOR_NOT_FOUND', 'ACCESS_FACTOR_CODE_WRONG', ...withBody],
    }),
    handler: async (request, reply) => {
      const { code } = readBody(request, factorFields);
      const actor = userActorOf(request);
      const { added } = succeeded(await confirmTotp(context, actor, code as string, callerOf(request)));
      const { session, ...data } = added;
      const token = handOver(request, reply, session);
      return reply
        .code(201)
        .send({ status: 'success', message: 'Factor added.', data: { ...data, ...token } });
    },
  });
}

function passkeyOptionsRoute(
  app: FastifyInstance,
  context: OwnFactorContext,
  publicUrl: string | undefined,
): void {
  app.post(`${factorsUrl}/passkeys/options`, {
    config: adding,
    schema: describeOperation({
      operationId: 'startPasskey',
      summary: 'Get what a browser needs for a new passkey',
      description: 'For navigator.credentials.create(). The challenge works once, for five minutes.',
      tag: 'Sign-in',
      secured: true,
      success: {
        status: 200,
        description: 'The options.',
        schema: PasskeyOptionsReply,
        example: {
          status: 'success',
          message: 'Create the passkey.',
          data: {
            options: {
              rp: { name: 'Rollcall', id: 'people.example.com' },
              challenge: '2Xq0…',
              timeout: 300_000,
            },
          },
        },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'ACCESS_PASSKEYS_UNAVAILABLE', ...userErrors],
    }),
    handler: async (request, reply) => {
      const site = passkeySiteOf(request, publicUrl);
      const options = await passkeyCreationOptions(context, site, userActorOf(request));
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: 'Create the passkey.', data: { options } });
    },
  });
}

function addPasskeyRoute(
  app: FastifyInstance,
  context: OwnFactorContext,
  publicUrl: string | undefined,
): void {
  app.post(`${factorsUrl}/passkeys`, {
    config: { ...adding, ...json },
    schema: describeOperation({
      operationId: 'addPasskey',
      summary: 'Add a passkey',
      description: `The passkey must verify its user, for example with a fingerprint or a PIN. ${addedText}`,
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: AddPasskey,
        examples: {
          passkey: {
            summary: 'A passkey',
            value: {
              name: 'Work laptop',
              passkey: {
                id: 'mEk2m3wPZ0k',
                rawId: 'mEk2m3wPZ0k',
                type: 'public-key',
                response: {
                  clientDataJSON: 'eyJ0eXBlIjoi',
                  attestationObject: 'o2NmbXRk',
                  transports: ['internal'],
                },
              },
            },
          },
        },
      },
      success: addedReply('The passkey was added.'),
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'ACCESS_PASSKEY_REFUSED',
        'ACCESS_PASSKEY_EXISTS',
        'ACCESS_PASSKEYS_UNAVAILABLE',
        'ACCESS_FACTOR_TOO_MANY',
        ...withBody,
      ],
    }),
    handler: async (request, reply) => {
      const site = passkeySiteOf(request, publicUrl);
      const { passkey, name } = readBody(request, newPasskeyFields);
      const sent = {
        passkey: passkey as PasskeyAttestation,
        name: name ?? deviceOf(request) ?? 'Passkey',
      };
      const caller = callerOf(request);
      const { added } = succeeded(await addPasskey(context, site, userActorOf(request), sent, caller));
      const { session, ...data } = added;
      const token = handOver(request, reply, session);
      return reply
        .code(201)
        .send({ status: 'success', message: 'Factor added.', data: { ...data, ...token } });
    },
  });
}

function renameRoute(app: FastifyInstance, context: OwnFactorContext): void {
  app.patch<{ Params: { id: string } }>(`${factorsUrl}/:id`, {
    config: { ...forUsers, ...json },
    schema: describeOperation({
      operationId: 'renameFactor',
      summary: 'Rename a second factor',
      description: 'The name tells the factors of a user apart, and is shown to nobody else.',
      tag: 'Sign-in',
      secured: true,
      parameters: { params: idParams },
      body: {
        types: ['application/json'],
        schema: NameFactor,
        examples: { name: { summary: 'Another name', value: { name: 'Work laptop' } } },
      },
      success: {
        status: 200,
        description: 'The factor.',
        schema: FactorReply,
        example: { status: 'success', message: 'Factor renamed.', data: { factor: exampleFactor } },
      },
      errors: ['ACCESS_FACTOR_NOT_FOUND', ...withBody],
    }),
    handler: async (request, reply) => {
      const { name } = readBody(request, factorNameFields);
      const change = { id: request.params.id, name: name as string };
      const { factor } = succeeded(
        await renameFactor(context, userActorOf(request), change, callerOf(request)),
      );
      return reply.send({ status: 'success', message: 'Factor renamed.', data: { factor } });
    },
  });
}

function removeRoute(app: FastifyInstance, context: OwnFactorContext): void {
  app.delete<{ Params: { id: string } }>(`${factorsUrl}/:id`, {
    config: { ...forUsers, isSensitive: true },
    schema: describeOperation({
      operationId: 'removeFactor',
      summary: 'Remove a second factor',
      description:
        'With the last one, the recovery codes end. If the company requires a factor, the last one stays.',
      tag: 'Sign-in',
      secured: true,
      parameters: { params: idParams },
      success: {
        status: 200,
        description: 'It was removed.',
        schema: DoneReply,
        example: { status: 'success', message: 'Factor removed.', data: {} },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'ACCESS_FACTOR_NOT_FOUND', 'ACCESS_FACTOR_LAST', ...userErrors],
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      succeeded(await removeFactor(context, userActorOf(request), id, callerOf(request)));
      return reply.send({ status: 'success', message: 'Factor removed.', data: {} });
    },
  });
}

function recoveryCodesRoute(app: FastifyInstance, context: OwnFactorContext): void {
  app.post(`${factorsUrl}/recovery-codes`, {
    config: { ...forUsers, isSensitive: true },
    schema: describeOperation({
      operationId: 'renewRecoveryCodes',
      summary: 'Get new recovery codes',
      description: 'The ones before end. Each code works once, in place of a factor.',
      tag: 'Sign-in',
      secured: true,
      success: {
        status: 201,
        description: 'The codes, which are shown only here.',
        schema: RecoveryCodesReply,
        example: {
          status: 'success',
          message: 'Recovery codes created.',
          data: { recoveryCodes: exampleCodes },
        },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'ACCESS_FACTOR_NOT_FOUND', ...userErrors],
    }),
    handler: async (request, reply) => {
      const renewed = await renewRecoveryCodes(context, userActorOf(request), callerOf(request));
      const { recoveryCodes } = succeeded(renewed);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: 'Recovery codes created.', data: { recoveryCodes } });
    },
  });
}
