import { duration } from '../../terminal/numbers.js';
import { type Finding, failed, good, note, warning } from './finding.js';

const warnAboveMs = 5_000;
const failAboveMs = 60_000;

/** Another clock, read between two readings of ours. */
export interface ClockReading {
  readonly theirMs: number;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** Resolution of the other clock. */
  readonly stepMs: number;
}

/** A node with a wrong clock refuses valid tokens or accepts expired ones. */
export function clockFinding(check: string, reading: ClockReading | undefined): Finding {
  if (!reading) return note(check, 'not checked: there is no other clock to compare with');
  const skewMs = leastSkewMs(reading);
  const found = `this machine is ${skewMs >= 0 ? 'behind' : 'ahead'} by ${duration(Math.abs(skewMs))}`;
  const fix = 'Synchronize the clocks with NTP: tokens and deadlines depend on them.';
  if (Math.abs(skewMs) > failAboveMs) return failed(check, found, fix);
  return Math.abs(skewMs) > warnAboveMs
    ? warning(check, found, fix)
    : good(check, 'in sync with this machine');
}

/** The minimum difference, excluding what latency and resolution may account for. */
export function leastSkewMs({ theirMs, askedAtMs, answeredAtMs, stepMs }: ClockReading): number {
  const behind = theirMs - answeredAtMs;
  const ahead = theirMs + stepMs - askedAtMs;
  if (behind > 0) return behind;
  return ahead < 0 ? ahead : 0;
}
