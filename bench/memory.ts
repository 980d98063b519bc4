import { overHttp } from './bulk-update.js';
import type { People } from './people.js';
import type { Service } from './processes.js';

/** Resident memory of the service's process, in MB. */
export interface MemoryFigures {
  readonly idle: number;
  readonly peak: number;
}

const calls = 10;
const samplePauseMs = 20;

/**
 * Takes a service that has not seen a large call yet: memory that an earlier one left behind would pass for idle.
 * Undefined where the memory of a process cannot be read.
 */
export async function measureMemory(service: Service, people: People): Promise<MemoryFigures | undefined> {
  for (let call = 0; call < 50; call++) await overHttp(service, people.changes(100, 'mixed'));
  await service.collectGarbage();
  const idle = service.residentMb();
  if (idle === undefined) return undefined;

  const requests = Array.from({ length: calls }, () => people.changes(10_000, 'mixed'));
  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak, service.residentMb() ?? 0);
  }, samplePauseMs);
  try {
    for (const items of requests) await overHttp(service, items);
  } finally {
    clearInterval(sampling);
  }
  return { idle, peak };
}
