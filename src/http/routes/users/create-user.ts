import type { FastifyInstance } from 'fastify';
import type { Failure } from '../../../contract/errors.js';
import { bulkUpdateFields, CreatedReply, CreateUser, createUserFields } from '../../../contract/users.js';
import { type CreateUserContext, createUser } from '../../../domain/users/create-user.js';
import { type InitialPasswordRules, parseNewUser } from '../../../domain/users/user-rules.js';
import { attributeReader } from '../../attribute-reader.js';
import { callerOf } from '../../authentication.js';
import { withoutForeign } from '../../foreign-names.js';
import { idempotencyHeaders, markReplay, readIdempotencyKey, replayedHeader } from '../../idempotency-key.js';
import { describeOperation, keyErrors, userErrors } from '../../openapi.js';
import { planParameters } from '../../plan-parameters.js';
import { flagParameter, invalidParameter, type Query, querySchema, readParameters } from '../../query.js';
import { originOf, requireBody } from '../../request-body.js';
import { RequestRejected, succeeded } from '../../request-rejected.js';
import { rehireParameter } from './bulk-parameters.js';
import { exampleSerial, exampleUser } from './examples.js';

export interface CreateUserRouteContext extends CreateUserContext, InitialPasswordRules {}

const parameters = {
  details: flagParameter(
    'true: the reply lists the fields that were normalized, and errors carry their data, as on all other operations.',
    false,
  ),
  ...rehireParameter,
};

/** Who sends one of these relies on it. */
const bulkOnly = ['dryRun', 'deliver', ...Object.keys(planParameters)];
const notIgnored = [...Object.keys(parameters), ...bulkOnly];

/** In a body, they are as easily misplaced as fields are misspelled. */
const notIgnoredFields = [
  ...Object.keys(createUserFields),
  ...Object.keys(bulkUpdateFields),
  'rehire',
  'role', // nobody may believe that they have created an administrator
  ...bulkOnly,
];

export function createUserRoute(app: FastifyInstance, context: CreateUserRouteContext): void {
  app.post<{ Querystring: Query }>('/service/users', {
    config: { scope: 'users:write', takes: ['application/json'], errorDataOnRequest: true },
    schema: describeOperation({
      operationId: 'createUser',
      summary: 'Create a user',
      description:
        'At least one of email and phone is required. Unknown fields and query parameters are ignored, unless they resemble known ones. Absent, null and "" all mean empty. With rehire=true, an active user whose employee ID belongs to an inactive user reactivates that user: the fields of the request replace all others, the user keeps the serial and gets a new password, and the reply has the status 200.',
      tag: 'Users',
      secured: true,
      parameters: { querystring: querySchema(parameters), headers: idempotencyHeaders },
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
        alternative: {
          status: 200,
          description: 'With rehire=true: an inactive user had the employee ID and was reactivated.',
          example: { status: 'success', message: 'User rehired.', data: { serial: exampleSerial } },
        },
      },
      errors: ['REQUEST_PARAMETER_INVALID', 'USER_PROTECTED', ...keyErrors, ...userErrors],
      errorDataOnRequest: true,
    }),
    handler: async (request, reply) => {
      const sent = withoutForeign(request.query, notIgnored);
      const unsupported = bulkOnly.find((name) => name in sent);
      if (unsupported !== undefined) throw new RequestRejected(onlyInBulk(unsupported));
      const { details, rehire } = readParameters(sent, parameters);
      const body = requireBody(request);
      const user = isObject(body.value) ? withoutForeign(body.value, notIgnoredFields) : body.value;
      const repeatedField = isObject(user) ? body.repeatedAmong(user) : undefined;
      const parsed = succeeded(
        parseNewUser(
          user,
          { ...originOf(body), repeatedField },
          context.initialPasswordCheck,
          await attributeReader(request, context.database),
        ),
      );
      const key = await readIdempotencyKey(request, context.cipher);
      const created = await createUser(context, parsed.value, callerOf(request), { key, rehire });
      markReplay(reply, created.isReplay);
      if (!created.ok) throw new RequestRejected(created.failure);
      const { serial, rehired } = created;
      const { normalized } = parsed;
      return reply
        .code(rehired ? 200 : 201)
        .header('location', `/service/users/${serial}`)
        .send({
          status: 'success',
          message: rehired ? 'User rehired.' : 'User created.',
          data: details && normalized ? { serial, normalized } : { serial },
        });
    },
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function onlyInBulk(name: string): Failure {
  throw invalidParameter(
    name,
    'is not supported for a single user. Send the user as the only item of POST /service/users/create-bulk.',
  );
}
