/** Browsers have no error of their own for a script that can't be loaded on demand, but the bundler reports it. */
const missing = new WeakSet<Error>();
window.addEventListener('vite:preloadError', ({ payload }) => void missing.add(payload));

export function isMissingScript(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

const storageKey = 'rollcall.reloaded';
const pauseMs = 30_000;

/** Reloads the page. False if that has just been done, so that a page doesn't reload forever. */
export function reloadOnce(): boolean {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(storageKey)) < pauseMs) return false;
  sessionStorage.setItem(storageKey, String(now));
  location.reload();
  return true;
}
