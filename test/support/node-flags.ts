/**
 * Makes V8 compile WebAssembly once, without optimizing it later. This halves the startup work of an embedded database,
 * and tests end too soon to benefit from optimization.
 */
export const nodeFlags: readonly string[] = ['--liftoff-only'];
