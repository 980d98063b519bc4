import fc from 'fast-check';

/**
 * Property tests generate the same values in every run, so that a change is judged by the same examples as the one
 * before. `ROLLCALL_TEST_SEED=random` looks for new ones, and a number repeats a run that failed.
 */
const seed = process.env.ROLLCALL_TEST_SEED ?? '34';
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
