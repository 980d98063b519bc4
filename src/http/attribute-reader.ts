import type { FastifyRequest } from 'fastify';
import { loadAttributes } from '../domain/attributes/attribute-facts.js';
import { type AttributeReader, withoutAttributes } from '../domain/attributes/attribute-set.js';
import { maySeeSensitive } from '../domain/caller.js';
import type { Database } from '../domain/database.js';
import { callerOf } from './authentication.js';
import { requireBody } from './request-body.js';

/** Most requests have no attributes, and need not know which are defined. A name can also be written with escapes. */
const traces = ['"attributes"', '\\u'];

export async function attributeReader(request: FastifyRequest, database: Database): Promise<AttributeReader> {
  const { bytes } = requireBody(request);
  if (!traces.some((trace) => bytes.includes(trace))) return withoutAttributes;
  const set = await loadAttributes(database.pool);
  const seesSensitive = maySeeSensitive(callerOf(request).actor);
  return (sent, origin, nulls) => set.read(sent, origin, { nulls, maySeeSensitive: seesSensitive });
}
