/** Where work that is not finished survives a reload (`kept-work.ts`). */
export const workDatabase = 'rollcall.work';

const listeners = new Set<() => void>();

/** Calls the function whenever the user has signed out, so that nothing of them stays in memory for the next one. */
export function whenSignedOut(forget: () => void): void {
  listeners.add(forget);
}

export function forgetUser(): void {
  for (const forget of listeners) forget();
}
