import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';
import { host } from '../host.js';
import { out } from '../terminal/style.js';
import { table } from '../terminal/table.js';

/** The pairs that OWASP considers equivalent, and stronger ones. The first is the minimum. */
const candidates = [
  { memoryKib: 19_456, passes: 2 },
  { memoryKib: 47_104, passes: 1 },
  { memoryKib: 47_104, passes: 2 },
  { memoryKib: 65_536, passes: 2 },
  { memoryKib: 65_536, passes: 3 },
  { memoryKib: 131_072, passes: 3 },
  { memoryKib: 262_144, passes: 3 },
] as const;

const rounds = 7;

interface Measured {
  readonly memoryKib: number;
  readonly passes: number;
  readonly ms: number;
}

/** `rollcall password calibrate`: suggests the strongest settings that stay within the target time. */
export async function calibratePasswords(options: { targetMs: number; json?: boolean }): Promise<void> {
  const { targetMs } = options;
  const measured: Measured[] = [];
  for (const candidate of candidates) {
    host().stderr.write(
      host().stderr.isTTY ? `\r… ${candidate.memoryKib} KiB, ${candidate.passes} passes  ` : '',
    );
    const ms = await medianMs(candidate);
    measured.push({ ...candidate, ms });
    if (ms > 2 * targetMs) break; // the remaining ones are even slower
  }
  host().stderr.write(host().stderr.isTTY ? '\r\u001b[K' : '');
  const [minimum] = measured as [Measured, ...Measured[]];
  const fitting = measured.filter(({ ms }) => ms <= targetMs);
  const best = fitting.reduce((a, b) => (strength(b) >= strength(a) ? b : a), minimum);
  host().stdout.write(
    options.json
      ? `${JSON.stringify({ targetMs, measured, suggested: { memoryKib: best.memoryKib, passes: best.passes } })}\n`
      : report(measured, best, targetMs),
  );
}

function strength({ memoryKib, passes }: Measured): number {
  return memoryKib * passes;
}

async function medianMs({ memoryKib, passes }: { memoryKib: number; passes: number }): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await hash('correct horse battery staple', {
      algorithm: 2,
      memoryCost: memoryKib,
      timeCost: passes,
      parallelism: 1,
    });
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number;
}

function report(measured: readonly Measured[], best: Measured, targetMs: number): string {
  const cores = availableParallelism();
  const rows = measured.map((entry) => [
    entry === best ? '→' : '',
    (entry.memoryKib / 1024).toFixed(0),
    String(entry.passes),
    entry.ms.toFixed(1),
    ((1_000 / entry.ms) * cores).toFixed(0),
  ]);
  const warning =
    best.ms > targetMs
      ? `\nNo setting reaches ${targetMs} ms. This is the minimum that OWASP recommends.\n`
      : '';
  return `
argon2id on this machine, parallelism 1, median of ${rounds} runs

${table([['', 'MiB', 'passes', 'ms', `per second on ${cores} cores`], ...rows])}
${warning}
${out.bold(`Strongest settings within ${targetMs} ms:`)}

  ROLLCALL_ARGON2_MEMORY_KIB=${best.memoryKib}
  ROLLCALL_ARGON2_PASSES=${best.passes}

Every concurrent hash uses this much memory. Existing passwords keep working and are rehashed
when their owner signs in.
`;
}
