import { duration } from '../../terminal/numbers.js';
import { type Finding, failed, good, note, warning } from './finding.js';

const warnAboveMs = 5_000;
const failAboveMs = 60_000;

/** Another clock beside ours, read in the middle of the time that the question took. */
export interface ClockReading {
  readonly theirMs: number;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** How coarsely the other one tells the time. */
  readonly stepMs: number;
}

/** A node with a wrong clock refuses good tokens, or takes ones that have ended. */
export function clockFinding(check: string, reading: ClockReading | undefined): Finding {
  if (!reading) return note(check, 'not looked at: there is no other clock to compare with');
  const skewMs = leastSkewMs(reading);
  const found = `this machine is ${skewMs >= 0 ? 'behind' : 'ahead'} by ${duration(Math.abs(skewMs))}`;
  const mend = 'Set the clocks by NTP: tokens and deadlines depend on them.';
  if (Math.abs(skewMs) > failAboveMs) return failed(check, found, mend);
  return Math.abs(skewMs) > warnAboveMs
    ? warning(check, found, mend)
    : good(check, 'in step with this machine');
}

/** The least by which the clocks differ: what the question and the coarse step may account for is left out. */
export function leastSkewMs({ theirMs, askedAtMs, answeredAtMs, stepMs }: ClockReading): number {
  const behind = theirMs - answeredAtMs;
  const ahead = theirMs + stepMs - askedAtMs;
  if (behind > 0) return behind;
  return ahead < 0 ? ahead : 0;
}
