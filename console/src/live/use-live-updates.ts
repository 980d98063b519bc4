import { useEffect } from 'react';
import { restrictionOf, usePermission, useSession } from '../session/session.js';

/** Keeps the page up to date while someone is signed in. */
export function useLiveUpdates(): void {
  const mayFollow = usePermission('audit:read');
  const state = useSession();
  const session = state.kind === 'active' && !restrictionOf(state) ? state.session.id : undefined;
  useEffect(() => {
    if (session === undefined) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    const start = async () => {
      const begin = mayFollow ? (await import('./follow.js')).follow : (await import('./poll.js')).poll;
      if (!isOver) stop = begin();
    };
    void start().catch(() => {}); // without the script, the page is as it was when it was loaded
    return () => {
      isOver = true;
      stop?.();
    };
  }, [session, mayFollow]);
}
