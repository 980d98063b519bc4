import type { FastifyRequest } from 'fastify';
import type { Origin } from '../domain/user-rules.js';
import type { JsonBody } from './json-body.js';
import { Refused } from './refused.js';

export function requireBody(request: FastifyRequest): JsonBody {
  const body = request.body as JsonBody | null | undefined;
  if (body == null) throw new Refused('REQUEST_BODY_NOT_JSON', 'The body is missing; send a JSON object.');
  return body;
}

/** For operations whose body is the user itself. */
export function originOf(body: JsonBody): Origin {
  return { repeatedField: body.repeated[0]?.field };
}
