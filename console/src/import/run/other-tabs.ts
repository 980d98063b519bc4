const lockName = 'rollcall.bulk';

/** False where the browser cannot tell. */
export async function isRunningElsewhere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === lockName);
}

/** Holds a lock that other tabs can see. */
export async function withRunLock(work: () => Promise<void>): Promise<void> {
  // Browsers only have locks on secure origins.
  if (navigator.locks) await navigator.locks.request(lockName, { mode: 'shared' }, work);
  else await work();
}
