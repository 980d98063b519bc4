import Value from 'typebox/value';
import { expect } from 'vitest';
import { type ErrorName, errorCatalogue } from '../../src/contract/errors.js';

interface WireError {
  readonly message: ErrorName;
  readonly data?: unknown;
  readonly reason?: unknown;
}

/** The error without its data, which must match the schema in the catalogue exactly. */
export function withoutData(error: WireError): object {
  const { data, reason, ...fields } = error;
  const { [error.message]: entry } = errorCatalogue;
  if (data !== undefined) {
    const schema = 'data' in entry ? { ...entry.data, additionalProperties: false } : undefined;
    expect(schema && Value.Check(schema, data), JSON.stringify(error)).toBe(true);
  }
  if (reason !== undefined) expect(reason).toMatch(/^[^a-z].{5,}\.$/su);
  return fields;
}
