import { type Failure, failure } from '../../contract/errors.js';
import type { ScimFailure } from '../../scim/language/outcome.js';

export function scimFailure({ scimType, detail }: ScimFailure): Failure {
  return failure('SCIM_REQUEST_INVALID', detail, { scimType });
}

export function rejected(problem: ScimFailure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: scimFailure(problem) };
}

export function noResource(type: 'User' | 'Group' | 'Schema' | 'ResourceType', id: string): Failure {
  return failure('SCIM_RESOURCE_NOT_FOUND', `No ${type} has the ID ${JSON.stringify(id.slice(0, 100))}.`);
}
