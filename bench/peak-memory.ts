import type { Service } from './service.js';

const samplePauseMs = 20;

/** The most memory that the service had while the work ran, in MB. */
export async function peakDuring(service: Service, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, service.residentMb() ?? 0);
  }, samplePauseMs);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return peak;
}
