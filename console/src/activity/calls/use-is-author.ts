import { useCurrentUser } from '../../session/session.js';
import type { Call } from './call-waiting.js';

/** Whoever requested or took over a call cannot approve it. */
export function useIsAuthor({ actor, plan }: Call): boolean {
  const { serial } = useCurrentUser();
  return [actor, plan?.author ?? null].some((each) => each?.kind === 'person' && each.id === serial);
}
