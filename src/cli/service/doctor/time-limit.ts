import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, failed } from './finding.js';

export const checkTimeoutMs = 5_000;

/**
 * Returns the findings of a check, or a failure if it takes too long, as with a firewall that drops packets. An unexpected
 * error fails only this check.
 */
export async function withTimeLimit(
  check: string,
  findings: Promise<readonly Finding[]>,
  limitMs = checkTimeoutMs,
): Promise<readonly Finding[]> {
  const timer = new AbortController();
  const tooLong = pause(limitMs, undefined, { signal: timer.signal }).then(() => [
    failed(
      check,
      `no response within ${limitMs / 1_000} s`,
      'Check the address, and that no firewall blocks it.',
    ),
  ]);
  tooLong.catch(() => {}); // aborted once the findings are in
  try {
    return await Promise.race([findings, tooLong]);
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return [failed(check, `check failed (${code ?? name})`, 'See the logs of the other side.')];
  } finally {
    timer.abort();
  }
}
