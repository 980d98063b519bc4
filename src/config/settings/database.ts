import { parseDatabaseUrl } from '../../contract/database-url.js';
import { choice, optionalSecretUrl, text } from '../kinds.js';

const databasePoolings = ['auto', 'none', 'transaction'] as const;

/** Where the data is stored. */
export const databaseSettings = {
  databaseUrl: {
    ...optionalSecretUrl(
      'DATABASE_URL',
      ['postgres', 'postgresql'],
      'PostgreSQL database (versions 15 to 18), as `postgres://user:password@host:5432/database`, with several hosts separated by commas for [failover](failures.md#postgresql). Unset: an embedded database in the data directory.',
    ),
    parse: (value: string) => (parseDatabaseUrl(value).ok ? value : undefined),
    problem: (value: string) => {
      const parsed = parseDatabaseUrl(value);
      return parsed.ok || parsed.problem === '' ? '' : `${parsed.problem}.`;
    },
  },
  databasePooling: choice(
    'ROLLCALL_DATABASE_POOLING',
    databasePoolings,
    'auto',
    'Whether connections to PostgreSQL go through a transaction pooler ([PgBouncer](operating.md#behind-pgbouncer)): `transaction`, `none`, or `auto` to detect it.',
  ),
  nameCollation: {
    ...text(
      'ROLLCALL_NAME_COLLATION',
      'und',
      'language',
      'Language whose alphabetical order sorts names. `und` suits most languages, and is all that the embedded database knows. Must be the same on all nodes.',
    ),
    expects: 'a language tag such as und, sv or de-u-co-phonebk',
    parse: (value: string) => (/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(value) ? value : undefined),
  },
  dataDir: text(
    'ROLLCALL_DATA_DIR',
    './data',
    'directory',
    'Directory for the embedded database, the initial credentials, the secret key and the outbox.',
  ),
} as const;
