/**
 * Waits for all statements that were sent at once, even if one fails, and then throws the error of the first that did.
 * Otherwise what follows one of them could be sent after the rollback, and commit by itself.
 */
export async function allDone(statements: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(statements);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
