import { useSyncExternalStore } from 'react';

/** Tells components that something outside of React has changed. */
export interface News {
  subscribe(listener: () => void): () => void;
  version(): number;
  /** Soon, and once for all that changes until then. */
  changed(): void;
  /** At once, for what somebody has just done with their own hands. */
  tell(): void;
}

/** `later` is when whoever listens is told of changes that came one after the other. */
export function createNews(later: (tell: () => void) => void): News {
  const listeners = new Set<() => void>();
  let version = 0;
  let isDue = false;
  const tell = () => {
    isDue = false;
    version++;
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    tell,
    changed: () => {
      if (isDue) return;
      isDue = true;
      later(tell);
    },
  };
}

/** Renders again whenever there is news; the number is good as a dependency of what is derived. */
export function useNews(news: News): number {
  return useSyncExternalStore(news.subscribe, news.version);
}
