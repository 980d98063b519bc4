import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { size } from '../../terminal/numbers.js';
import { nearestExisting } from './data-directory.js';
import { type Finding, failed, good, warning } from './finding.js';

const megabyte = 1_000_000;
const warnBelowBytes = 1_000 * megabyte;
const failBelowBytes = 100 * megabyte;

export async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestExisting(resolve(dataDir)));
  return diskFinding(bavail * bsize);
}

export function diskFinding(freeBytes: number): Finding {
  const found = `${size(freeBytes)} free for the data directory`;
  const fix = 'Free up disk space: a database with a full disk stops.';
  if (freeBytes < failBelowBytes) return failed('free space', found, fix);
  return freeBytes < warnBelowBytes ? warning('free space', found, fix) : good('free space', found);
}
