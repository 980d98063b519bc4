import type { Config } from '../../../config.js';
import { type Finding, good, warning } from './finding.js';

export function secretKeyFinding({
  secretKey,
  databaseUrl,
}: Pick<Config, 'secretKey' | 'databaseUrl'>): Finding {
  if (secretKey !== undefined) return good('secret key', 'set, and the same wherever it is set so');
  if (databaseUrl === undefined) return good('secret key', 'in the data directory, beside its database');
  return warning(
    'secret key',
    'not set: each node makes one of its own, and what one has sealed no other can send',
    'Set ROLLCALL_SECRET_KEY to the same on all nodes; `openssl rand -base64 32` makes one.',
  );
}
