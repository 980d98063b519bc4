const messages =
  /dynamically imported module|importing a module script failed|unable to preload|failed to load module/i;

/** Browsers have no error of their own for a script that can't be loaded on demand. */
export function isMissingScript(error: unknown): boolean {
  return error instanceof Error && messages.test(error.message);
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
