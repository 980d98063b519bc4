/** Runs work on a file, and replaces its errors by the problem that `toProblem` makes of them. */
export function withFileErrors<T>(work: () => T, toProblem: (error: unknown) => unknown): T {
  const rethrow = (error: unknown): never => {
    throw toProblem(error);
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(rethrow) as T) : result; // still a promise of the same value
  } catch (error) {
    return rethrow(error);
  }
}
