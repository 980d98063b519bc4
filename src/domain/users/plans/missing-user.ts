import type { ErrorData, Failure } from '../../../contract/errors.js';
import type { Rename } from '../../bulk/name-history.js';
import { itemFailure } from '../../read-fields.js';
import { dateAndTime, dateText } from '../../time-text.js';
import type { TargetThen } from '../user-rules.js';

type MissingUser = ErrorData<'USER_NOT_FOUND'>;

/** What happened to an employee ID before the call. */
export type ChangedId = NonNullable<MissingUser['changed']>;

/** An earlier item of the same call that changed the ID, or what happened to it before. */
interface Why {
  readonly rename?: Rename | undefined;
  readonly changed?: ChangedId | undefined;
}

export function noSuchEmployee(position: number, employeeID: string, { rename, changed }: Why = {}): Failure {
  const sentences = [
    `no user has the employee ID "${employeeID}".`,
    ...(rename ? [`items[${rename.position}] of this call changed it to "${rename.to}".`] : []),
    ...(changed ? [sentenceOn(changed)] : []),
  ];
  return itemFailure('USER_NOT_FOUND', position, sentences.join(' '), {
    employeeID,
    ...(rename && { renamedBy: { position: rename.position, newEmployeeID: rename.to } }),
    ...(changed && { changed }),
  });
}

function sentenceOn({ newEmployeeID, at }: ChangedId): string {
  const day = dateText(at);
  return newEmployeeID === null
    ? `The user who had it was removed on ${day}.`
    : `It was changed to "${newEmployeeID}" on ${day}.`;
}

/** For as-of addressing: nobody had the employee ID, or the user who had it is gone. */
export function nobodyThen(position: number, employeeID: string, { asOf, serial }: TargetThen): Failure {
  const time = dateAndTime(asOf);
  const problem =
    serial === null
      ? `no user had the employee ID "${employeeID}" on ${time}.`
      : `the user who had the employee ID "${employeeID}" on ${time} no longer exists.`;
  return itemFailure('USER_NOT_FOUND', position, problem, { employeeID, asOf });
}

/** The employee ID that an item named and nobody has, if nothing explains that yet. */
export function unexplainedId(problem: Failure): string | undefined {
  if (problem.error !== 'USER_NOT_FOUND') return undefined;
  const { employeeID, renamedBy, changed, asOf } = problem.data ?? {};
  return renamedBy || changed || asOf ? undefined : employeeID;
}

/** The same failure without what happened before the call. */
export function withoutHistory(problem: Failure, position: number): Failure {
  if (problem.error !== 'USER_NOT_FOUND' || !problem.data?.changed) return problem;
  return noSuchEmployee(position, problem.data.employeeID ?? '');
}
