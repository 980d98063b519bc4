import type { ServiceError } from '@rollcall/client';
import { commonCopy } from '../copy/copy.js';

const copy = commonCopy.errors;

/** An error in terms of the console: fields by their labels, rows instead of positions, and no serials. */
export function errorMessage(
  error: ServiceError,
  reason: string,
  rowOf?: (position: number) => string,
): string {
  switch (error.name) {
    case 'USER_EMPLOYEE_ID_EXISTS':
    case 'USER_USERNAME_EXISTS': {
      const { takenBy, quarantined } = error.data;
      if (quarantined?.position != null && rowOf)
        return copy.released(
          commonCopy.fields[quarantined.field],
          quarantined.value,
          rowOf(quarantined.position),
        );
      if (!takenBy) return reason;
      const { field, value, position } = takenBy;
      return copy[field](value, position === null ? undefined : rowOf?.(position));
    }
    case 'USER_NOT_FOUND': {
      const { employeeID, renamedBy } = error.data;
      if (employeeID === undefined || !renamedBy || !rowOf) return reason;
      return copy.renamed(employeeID, rowOf(renamedBy.position), renamedBy.newEmployeeID);
    }
    case 'USER_FIELD_REQUIRED':
    case 'USER_FIELD_INVALID':
    case 'USER_FIELD_NOT_ACCEPTED':
      return fieldMessage(error.data) ?? reason;
    default:
      return reason;
  }
}

/** Undefined if the error is not about a field. */
export function fieldMessage({
  field,
  problem,
}: {
  readonly field?: string | undefined;
  readonly problem?: string | undefined;
}): string | undefined {
  if (field === undefined || problem === undefined) return undefined;
  const names: Readonly<Record<string, string>> = commonCopy.fields;
  return `${names[field] ?? `"${field}"`} ${problem}`;
}
