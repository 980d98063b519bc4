/** Long work that stops where others may have their turn; who does it says whether they get it. */
export type YieldingTask<T> = Generator<void, T, void>;
