import { SourceFailed } from '../../src/domain/feeds/source-problem.js';
import type { FileVersion, OpenedSource, SourceReader } from '../../src/domain/feeds/source-reader.js';
import { openSourceReader } from '../../src/sources/open-source-reader.js';
import type { SourceOptions } from '../../src/sources/source-context.js';
import { receiverCertificate } from './webhook-receiver.js';

export const noSecret = { secret: null, passphrase: null };

/** A reader that may connect to this machine, with timeouts that no test reaches unless it controls the time. */
export function aReader(overrides: Partial<SourceOptions> = {}): SourceReader {
  return openSourceReader({
    targets: 'any',
    allowedHosts: [],
    userAgent: 'Rollcall/1',
    ca: receiverCertificate,
    timeouts: { idleMs: 3_600_000, totalMs: 3_600_000, slowMs: 3_600_000, slowBytes: 1 },
    fileMaxBytes: 1024 * 1024,
    folderRoot: undefined,
    folderSettleSeconds: 30,
    now: Date.now,
    ...overrides,
  });
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

export interface ReadFile {
  readonly version: FileVersion;
  readonly text: string;
}

/** The whole file. Throws if there is none. */
export async function readWhole(opened: OpenedSource): Promise<ReadFile> {
  if (opened.status !== 'file') throw new Error(`expected a file, got ${JSON.stringify(opened)}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.bytes) chunks.push(chunk);
  return { version: opened.version, text: Buffer.concat(chunks).toString('utf8') };
}

/** The problem that ends reading, which the source was opened without. */
export async function problemWhileReading(opened: OpenedSource): Promise<unknown> {
  const outcome = await readWhole(opened).catch((error: unknown) => error);
  if (!(outcome instanceof SourceFailed)) throw new Error('expected the reading to fail', { cause: outcome });
  return outcome.problem;
}
