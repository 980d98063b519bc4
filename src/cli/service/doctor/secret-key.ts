import type { Config } from '../../../config.js';
import { type Finding, good, warning } from './finding.js';

export function secretKeyFinding({
  secretKey,
  databaseUrl,
}: Pick<Config, 'secretKey' | 'databaseUrl'>): Finding {
  if (secretKey !== undefined) return good('secret key', 'configured');
  if (databaseUrl === undefined) return good('secret key', 'in the data directory');
  return warning(
    'secret key',
    'not set: each node creates its own key and can only send passwords that it received itself',
    'Set ROLLCALL_SECRET_KEY to the same value on all nodes. Create one with `openssl rand -base64 32`.',
  );
}
