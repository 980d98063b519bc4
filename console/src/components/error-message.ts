import {
  ConnectionFailed,
  isRollcallError,
  ListIncomplete,
  limits,
  type ServiceError,
  UnexpectedReply,
} from '@rollcall/client';
import { attributeField, type FieldName, fieldRules, isAttributeField } from '@rollcall/sheets';
import { activityCopy, commonCopy, errorsCopy } from '../copy/copy.js';
import { formatDate, formatDateTime, formatDuration } from '../copy/format.js';
import { attributeName, attributeOf, attributeRule, rememberedAttributes } from './attribute-value.js';

const copy = errorsCopy;

/** The row of a file that an item of a call comes from. */
type RowOf = (position: number) => number;

/** Whatever was thrown, in words of the console. */
export function describeError(error: unknown): string {
  if (isRollcallError(error)) return errorMessage(error as ServiceError);
  if (error instanceof ConnectionFailed) return commonCopy.cannotReach;
  if (error instanceof ListIncomplete) return commonCopy.listIncomplete;
  return error instanceof UnexpectedReply ? copy.unexpectedReply : copy.unknown;
}

/** An error of the service in words of the console. Its own explanation is for developers. */
export function errorMessage(error: ServiceError, rowOf?: RowOf): string {
  return specificMessage(error, rowOf) ?? generalMessage(error.name);
}

/** A newer service may have errors that the console doesn't know. */
function generalMessage(name: string): string {
  return Object.hasOwn(copy.codes, name) ? copy.codes[name as keyof typeof copy.codes] : copy.unknown;
}

/** An error that only its name is known of, because the service has put it into the address of the page. */
export function errorMessageOf(name: string): string {
  return generalMessage(name);
}

/** Whether users can't help themselves, so that support may ask for the ID of the request. */
export function needsSupport({ status, name }: { readonly status: number; readonly name: string }): boolean {
  return status >= 500 || !Object.hasOwn(copy.codes, name);
}

/** An error next to the field it is about, which needs no name. */
export function fieldErrorMessage(error: ServiceError): string {
  return fieldProblem(error) ?? errorMessage(error);
}

function specificMessage(error: ServiceError, rowOf: RowOf | undefined): string | undefined {
  switch (error.name) {
    case 'USER_EMPLOYEE_ID_EXISTS':
    case 'USER_USERNAME_EXISTS':
      return takenMessage(error, rowOf);
    case 'USER_NOT_FOUND':
      return missingMessage(error, rowOf);
    case 'USER_FIELD_REQUIRED':
    case 'USER_FIELD_INVALID':
    case 'USER_FIELD_NOT_ACCEPTED': {
      const problem = fieldProblem(error);
      return problem && error.data.field && copy.about(fieldLabel(error.data.field), problem);
    }
    case 'USER_ATTRIBUTE_EXISTS': {
      const { attribute } = error.data;
      return attribute && copy.about(fieldLabel(attributeField(attribute)), copy.codes.USER_ATTRIBUTE_EXISTS);
    }
    case 'USER_CHANGED_SINCE': {
      const { fields = [] } = error.data;
      return fields.length > 0 ? copy.changedSince(fields.map(fieldLabel)) : undefined;
    }
    case 'USER_ERASED':
      return error.data.erasedAt && copy.erasedOn(formatDate(error.data.erasedAt));
    case 'REQUEST_BODY_INVALID':
      if (error.data.field === 'patch.managerEmployeeID') return copy.rules.managerEmployeeID();
      return error.data.field === 'parentSerial' ? copy.invalidParent : undefined;
    case 'REQUEST_TOO_MANY_ITEMS':
      return error.data.limit === undefined ? undefined : copy.tooManyItems(error.data.limit);
    case 'REQUEST_RATE_LIMITED':
    case 'ACCESS_SIGN_IN_DELAYED':
      return error.data.retryAfterSeconds === undefined
        ? undefined
        : copy.retryIn(formatDuration(error.data.retryAfterSeconds));
    case 'ACCESS_PASSWORD_REFUSED':
      return passwordProblem(error.data);
    case 'CALL_STATE_CONFLICT': {
      const states: Readonly<Record<string, string>> = activityCopy.calls.state;
      const state = states[error.data.state ?? ''];
      return state && copy.callState(state);
    }
    default:
      return undefined;
  }
}

type Of<Name extends ServiceError['name']> = Extract<ServiceError, { readonly name: Name }>;

function takenMessage(
  { data }: Of<'USER_EMPLOYEE_ID_EXISTS' | 'USER_USERNAME_EXISTS'>,
  rowOf: RowOf | undefined,
): string | undefined {
  const { takenBy, quarantined } = data;
  if (quarantined) {
    const { field, value, position, quarantinedUntil } = quarantined;
    return position !== null && rowOf
      ? copy.releasedByRow[field](value, rowOf(position))
      : copy.quarantined[field](value, formatDateTime(quarantinedUntil));
  }
  if (!takenBy) return undefined;
  const { field, value, position, isActive } = takenBy;
  if (position !== null && rowOf) return copy.takenByRow[field](value, rowOf(position));
  return isActive === false ? copy.takenByInactive[field](value) : copy.taken[field](value);
}

function missingMessage({ data }: Of<'USER_NOT_FOUND'>, rowOf: RowOf | undefined): string | undefined {
  const { employeeID, renamedBy, changed, asOf } = data;
  if (employeeID === undefined) return undefined;
  if (renamedBy && rowOf)
    return copy.notFound.renamedByRow(employeeID, rowOf(renamedBy.position), renamedBy.newEmployeeID);
  if (changed) {
    const { newEmployeeID, at } = changed;
    return newEmployeeID === null
      ? copy.notFound.removed(employeeID, formatDate(at))
      : copy.notFound.renamed(employeeID, newEmployeeID, formatDate(at));
  }
  return asOf === undefined
    ? copy.notFound.plain(employeeID)
    : copy.notFound.at(employeeID, formatDateTime(asOf));
}

function fieldProblem(error: ServiceError): string | undefined {
  switch (error.name) {
    case 'USER_FIELD_REQUIRED':
      return copy.required;
    case 'USER_FIELD_NOT_ACCEPTED':
      return copy.notAccepted;
    case 'USER_FIELD_INVALID': {
      const { field = '', rule } = error.data;
      if (rule === 'directory') {
        return field === 'organizationSerial'
          ? copy.notInDirectory.organizationSerial
          : copy.notInDirectory.tagSerials;
      }
      return (field === 'password' ? passwordProblem(error.data) : undefined) ?? fieldRule(field);
    }
    case 'USER_ATTRIBUTE_EXISTS':
      return copy.codes.USER_ATTRIBUTE_EXISTS;
    case 'USER_MANAGER_NOT_FOUND':
      return copy.rules.managerEmployeeID();
    case 'USER_MANAGER_CYCLE': {
      const [user, manager] = error.data.chain ?? [];
      return user && manager && user !== manager ? copy.managerCycle(manager, user) : undefined;
    }
    default:
      return undefined;
  }
}

interface RefusedPassword {
  readonly rule?: string | undefined;
  readonly basedOn?: readonly (keyof typeof copy.passwords.words)[] | undefined;
}

function passwordProblem({ rule, basedOn = [] }: RefusedPassword): string | undefined {
  const { length, guessable, words } = copy.passwords;
  switch (rule) {
    case 'length':
      return length(limits.chosenPasswordMinLength, limits.passwordMaxLength);
    case 'characters':
    case 'ownName':
    case 'common':
    case 'unchanged':
      return copy.passwords[rule];
    case 'guessable':
      return guessable(basedOn.map((word) => words[word]));
    default:
      return undefined;
  }
}

/** The name of a field as forms and tables show it. */
export function fieldLabel(field: string): string {
  if (isAttributeField(field)) return attributeName(field, rememberedAttributes());
  const labels: Readonly<Record<string, string>> = commonCopy.fields;
  return (Object.hasOwn(labels, field) && labels[field]) || field;
}

/** What a field accepts, or undefined if it isn't a field of users. */
export function fieldRule(field: string): string | undefined {
  const attribute = attributeOf(field, rememberedAttributes());
  if (attribute) return attributeRule(attribute);
  return Object.hasOwn(fieldRules, field) ? ruleText(field as FieldName) : undefined;
}

function ruleText(field: FieldName): string {
  const rule = fieldRules[field];
  switch (rule.type) {
    case 'boolean':
      return errorsCopy.rules.boolean();
    case 'list':
      return errorsCopy.rules.list(rule.item.maxLength, rule.maxItems);
    case 'text': {
      const { list: _, boolean: __, text, ...own } = errorsCopy.rules;
      return (Object.hasOwn(own, field) ? own[field as keyof typeof own] : text)(rule.maxLength);
    }
  }
}

/** The field of a body that an error is about. */
export function rejectedField(error: unknown): string | undefined {
  if (isRollcallError(error, 'WEBHOOK_URL_REFUSED', 'SCIM_TARGET_URL_REFUSED')) return 'url';
  return isRollcallError(error, 'REQUEST_BODY_INVALID') ? error.data.field : undefined;
}

export interface QuarantinedName {
  readonly field: 'employeeID' | 'username';
  readonly value: string;
  readonly quarantinedUntil: string;
}

/** The name that an error says is kept for its last holder. */
export function quarantinedName(error: unknown): QuarantinedName | undefined {
  return isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS', 'USER_USERNAME_EXISTS')
    ? error.data.quarantined
    : undefined;
}
