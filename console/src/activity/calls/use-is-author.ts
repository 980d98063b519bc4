import { isAuthorOf } from '../../components/approvals.js';
import { useCurrentUser } from '../../session/session.js';
import type { Call } from './call-waiting.js';

export function useIsAuthor(call: Call): boolean {
  return isAuthorOf(call, useCurrentUser().serial);
}
