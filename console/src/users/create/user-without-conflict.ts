import { isRollcallError, type Schemas } from '@rollcall/client';

export type Creation = Schemas['CreateUser'];

/**
 * The service names the first conflict of a user. This user would have only the other one, so that a form can show both.
 * Undefined if there is no other.
 */
export function userWithoutConflict(
  { password: _, ...creation }: Creation,
  error: unknown,
  unusedEmployeeID: string,
): Creation | undefined {
  if (isRollcallError(error, 'USER_USERNAME_EXISTS')) {
    const { username: __, ...others } = creation;
    return others;
  }
  const isTaken = isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS') && creation.username != null;
  return isTaken ? { ...creation, employeeID: unusedEmployeeID } : undefined;
}
