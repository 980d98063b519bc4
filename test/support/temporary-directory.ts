import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that is deleted with the test, even if a service that is stopping still writes to it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}
