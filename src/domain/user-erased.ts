import { type Failure, failure } from '../contract/errors.js';
import { dateText } from './time-text.js';

/** The subject begins the sentence. */
export function userErased(erasedAt: Date, subject: string): Failure {
  const at = erasedAt.toISOString();
  return failure('USER_ERASED', `${subject} was erased on ${dateText(at)}, which cannot be undone.`, {
    erasedAt: at,
  });
}
