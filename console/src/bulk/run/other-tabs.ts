const name = 'rollcall.bulk';

/** Whether another tab of this browser is sending; where the browser cannot tell, it is not. */
export async function isRunningElsewhere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some((lock) => lock.name === name);
}

/** Lets other tabs know for as long as the work takes. */
export async function whileOthersKnow(work: () => Promise<void>): Promise<void> {
  // Missing where the page does not come over TLS.
  if (navigator.locks) await navigator.locks.request(name, { mode: 'shared' }, work);
  else await work();
}
