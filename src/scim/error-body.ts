import type { ScimErrorType } from '../contract/enums.js';
import { type ErrorName, errorCatalogue, type Failure } from '../contract/errors.js';
import { urns } from './schemas.js';

/** What the errors of the service are to SCIM clients (RFC 7644, tables 8 and 9). */
const scimTypes: Partial<Record<ErrorName, ScimErrorType>> = {
  USER_EMPLOYEE_ID_EXISTS: 'uniqueness',
  USER_USERNAME_EXISTS: 'uniqueness',
  USER_ATTRIBUTE_EXISTS: 'uniqueness',
  USER_FIELD_INVALID: 'invalidValue',
  USER_FIELD_REQUIRED: 'invalidValue',
  USER_FIELD_NOT_ACCEPTED: 'invalidValue',
  USER_CONTACT_REQUIRED: 'invalidValue',
  USER_MANAGER_NOT_FOUND: 'invalidValue',
  USER_MANAGER_CYCLE: 'invalidValue',
  REQUEST_BODY_NOT_JSON: 'invalidSyntax',
  REQUEST_BODY_INVALID: 'invalidSyntax',
  REQUEST_BODY_TOO_DEEP: 'invalidSyntax',
};

/** Where RFC 7644 asks for another status than the catalogue. */
const statuses: Partial<Record<ErrorName, number>> = { USER_ERASED: 404, USER_NOT_FOUND: 404 };

export interface ScimError {
  readonly status: number;
  readonly scimType: ScimErrorType | undefined;
  readonly body: object;
}

export function scimError({ error, detail, data }: Failure): ScimError {
  const scimType =
    error === 'SCIM_REQUEST_INVALID' ? (data as { scimType: ScimErrorType }).scimType : scimTypes[error];
  const status = scimType === 'uniqueness' ? 409 : (statuses[error] ?? errorCatalogue[error].status);
  const body = { schemas: [urns.error], status: String(status), ...(scimType && { scimType }), detail };
  return { status, scimType, body };
}
