import { type Failure, failure } from '../contract/errors.js';
import { databaseOutage, OutcomeUnknown } from '../storage/errors.js';
import { HashingBusy } from './passwords/password.js';
import { sentence } from './read-fields.js';
import { isConflict } from './retry-on-conflict.js';
import { SecretKeyMissing } from './secrets/secret-cipher.js';

/** Describes an outage to a caller. Without an error, it describes work that an outage kept from starting. */
export function failureOf(error: unknown, position?: number): Failure {
  if (error instanceof OutcomeUnknown) {
    return failure(
      'SERVICE_OUTCOME_UNKNOWN',
      sentence(
        position,
        `the database connection broke during the commit; read the user to see whether the change was made, then send it again if not.`,
      ),
    );
  }
  const reason = reasonOf(error);
  return reason === undefined
    ? failure(
        'SERVICE_INTERNAL_ERROR',
        sentence(position, 'a fault of the service; the operator finds its cause in the log.'),
      )
    : failure('SERVICE_UNAVAILABLE', sentence(position, `${reason}; nothing was changed, send it again.`));
}

function reasonOf(error: unknown): string | undefined {
  if (error === undefined) return 'not reached, because the database failed before';
  if (error instanceof HashingBusy) return 'too many passwords are being checked or set just now';
  if (error instanceof SecretKeyMissing)
    return 'this node lacks a secret key, which the operator finds in the log';
  if (isConflict(error)) return 'too many calls are changing the same users at once';
  const trouble = databaseOutage(error);
  if (trouble === 'unavailable') return 'the database cannot be reached';
  return trouble === 'busy' ? 'the database is too busy' : undefined;
}
