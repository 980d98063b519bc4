import { useSyncExternalStore } from 'react';
import { useCurrentUser } from '../session/session.js';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** A text that this browser keeps for the signed-in user, in all tabs. */
export function useStored(name: string): [text: string | null, store: (text: string) => void] {
  const key = `rollcall.${name}.${useCurrentUser().serial}`;
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const store = (next: string) => {
    localStorage.setItem(key, next);
    for (const listener of listeners) listener();
  };
  return [text, store];
}
