/**
 * Has V8 compile WebAssembly once, without optimising it later: an embedded database then starts with half the work, and in a
 * test it ends too soon to gain from more.
 */
export const nodeFlags: readonly string[] = ['--liftoff-only'];
