import type { FastifyRequest } from 'fastify';
import { failure } from '../contract/errors.js';
import type { FieldUse } from '../contract/shapes.js';
import { type ObjectRules, type Origin, readFields } from '../domain/read-fields.js';
import type { JsonBody } from './json-body.js';
import { type ListBody, type ListShape, readListBody } from './list-body.js';
import { RequestRejected, succeeded } from './request-rejected.js';

export function requireBody(request: FastifyRequest): JsonBody {
  const body = request.body as JsonBody | null | undefined;
  if (body == null) throw new RequestRejected(bodyMissing);
  return body;
}

const bodyMissing = failure('REQUEST_BODY_NOT_JSON', 'The body is missing. Send a JSON object.');

/** For operations that take a long list, whose body has not been read yet. */
export async function requireList(request: FastifyRequest, shape: ListShape): Promise<ListBody> {
  const read = succeeded(await readListBody(requireBody(request).bytes, shape));
  return read.body;
}

/** For operations whose body is the user itself. */
export function originOf(body: JsonBody): Origin {
  return { repeatedField: body.repeatedField, ...attributesOrigin(body) };
}

/** Of the attributes of a user, or of a patch within the body. */
export function attributesOrigin(body: JsonBody | undefined): Origin {
  const attributes = body?.within('attributes');
  return {
    repeatsKey: attributes?.repeatedField !== undefined,
    changedNumbers: attributes?.changedNumbers,
  };
}

const bodyRules: ObjectRules = {
  noun: 'the body',
  nulls: 'clear',
  errors: {
    notAnObject: 'REQUEST_BODY_INVALID',
    notAccepted: 'REQUEST_BODY_INVALID',
    required: 'REQUEST_BODY_INVALID',
    invalid: 'REQUEST_BODY_INVALID',
  },
};

type FieldsOf<Uses> = {
  readonly [Name in keyof Uses]?: Uses[Name] extends FieldUse<infer T> ? T | null : never;
};

/** The fields of a body other than a user, each checked by its rule. */
export function readBody<Uses extends Readonly<Record<string, FieldUse>>>(
  request: FastifyRequest,
  uses: Uses,
  options: Pick<ObjectRules, 'partial'> = {},
): FieldsOf<Uses> {
  return fieldsOf(requireBody(request), uses, options);
}

export function fieldsOf<Uses extends Readonly<Record<string, FieldUse>>>(
  body: Pick<JsonBody, 'value' | 'repeatedField'>,
  uses: Uses,
  options: Pick<ObjectRules, 'partial' | 'within'> = {},
): FieldsOf<Uses> {
  const read = succeeded(
    readFields(body.value, uses, { repeatedField: body.repeatedField }, { ...bodyRules, ...options }),
  );
  return read.value as FieldsOf<Uses>;
}
