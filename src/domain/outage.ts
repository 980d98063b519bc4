import { type Failure, retry } from '../contract/errors.js';
import { databaseOutage, OutcomeUnknown } from '../storage/errors.js';
import { itemFailure } from './read-fields.js';
import { isConflict } from './retry-on-conflict.js';

/** This node cannot do something that another one, or a later attempt, may be able to do. */
export abstract class NodeUnavailable extends Error {
  /** For the caller. */
  abstract readonly reason: string;
}

/** Whether an error is no fault of what was being done, so that it may succeed later. */
export function isOutage(error: unknown): boolean {
  return databaseOutage(error) !== undefined || error instanceof NodeUnavailable;
}

/** Describes an outage to a caller. Without an error, it describes work that an outage kept from starting. */
export function failureOf(error: unknown, position?: number): Failure {
  if (error instanceof OutcomeUnknown) {
    return itemFailure(
      'SERVICE_OUTCOME_UNKNOWN',
      position,
      'the database connection was lost during the commit. Read the user to see whether the change was applied, and resend it if not.',
      retry,
    );
  }
  const reason = reasonOf(error);
  return reason === undefined
    ? itemFailure(
        'SERVICE_INTERNAL_ERROR',
        position,
        'the service failed unexpectedly. The operator can find the cause in the log.',
      )
    : itemFailure(
        'SERVICE_UNAVAILABLE',
        position,
        `${reason}. Nothing was changed; retry the request.`,
        retry,
      );
}

function reasonOf(error: unknown): string | undefined {
  if (error === undefined) return 'the database failed before this item';
  if (error instanceof NodeUnavailable) return error.reason;
  if (isConflict(error)) return 'too many calls are changing the same users at the same time';
  const outage = databaseOutage(error);
  if (outage === 'unavailable') return 'the database is unreachable';
  if (outage === 'full') return 'the disk of the database is full';
  if (outage === 'damaged')
    return 'the database cannot read some of its files, which its operator has to restore';
  return outage === 'busy' ? 'the database is overloaded' : undefined;
}

/** PostgreSQL's words about a file that it cannot read. Unlike its other messages, they contain no data of users. */
export function damageOf(error: unknown): string | undefined {
  return databaseOutage(error) === 'damaged' ? (error as Error).message : undefined;
}
