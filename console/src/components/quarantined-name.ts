import { isRollcallError } from '@rollcall/client';

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
