/** Long computation that yields where other work may run. The caller decides whether it does. */
export type YieldingTask<T> = Generator<void, T, void>;
