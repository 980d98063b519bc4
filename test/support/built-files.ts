import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

/** Each project loads its own modules, but all run in one process. */
const shared = globalThis as { rollcallIsBuilt?: boolean };

/** Builds what is out of date. Every project runs built files somewhere, and stale ones must not be tested. */
export default function setup(): void {
  // Set by scripts/test.mjs, which has just built, and by scripts/mutation-sample.mjs.
  if (process.env.ROLLCALL_TEST_STALE_BUILD === '1' || shared.rollcallIsBuilt) return;
  const { status } = spawnSync(process.execPath, [script, '--quiet'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed, see above: nothing was tested.');
  shared.rollcallIsBuilt = true;
}
