import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, failed } from './finding.js';

export const checkLimitMs = 5_000;

/**
 * What a check finds, or that it took too long: nobody waits for a network that swallows everything. What nobody thought
 * of ends this check and not the others.
 */
export async function withinTime(
  check: string,
  findings: Promise<readonly Finding[]>,
  limitMs = checkLimitMs,
): Promise<readonly Finding[]> {
  const waiting = new AbortController();
  const tooLong = pause(limitMs, undefined, { signal: waiting.signal }).then(() => [
    failed(
      check,
      `no answer within ${limitMs / 1_000} s`,
      'Check the address, and that no firewall is in between.',
    ),
  ]);
  tooLong.catch(() => {}); // given up, because the answer came first
  try {
    return await Promise.race([findings, tooLong]);
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return [failed(check, `it cannot be looked at (${code ?? name})`, 'See the logs of the other side.')];
  } finally {
    waiting.abort();
  }
}
