/** Long work that stops where others may have their turn; who does it says whether they get it. */
export type Steps<T> = Generator<void, T, void>;
