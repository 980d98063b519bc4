import type { Config } from '../../../config.js';
import { migrationNames } from '../../../storage/migrate.js';
import type { ServerFacts } from '../../../storage/server-facts.js';
import { databaseAdvice } from '../local-database.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import type { PostgresLook } from './postgres.js';
import { schemaFinding } from './schema.js';

const majorMin = 15;
const majorMax = 18;

type AnsweredLook = Extract<PostgresLook, { readonly ok: true }>;
type PoolSettings = Pick<Config, 'workers' | 'limits'>;

export function postgresFindings(look: PostgresLook, config: PoolSettings): Finding[] {
  if (!look.ok) {
    const mend = `${databaseAdvice} Until it answers, a service starts and waits for it.`;
    return [failed('connection', look.problem, mend)];
  }
  return [
    connectionFinding(look),
    versionFinding(look.server),
    encodingFinding(look.server),
    writesFinding(look),
    schemaFinding(look.applied),
    ...(look.isPooled ? pooledFindings(config) : [poolFinding(look.server, config)]),
  ];
}

function connectionFinding({ description, server }: AnsweredLook): Finding {
  if (server.isEncrypted) return good('connection', `${description} answers, with TLS`);
  if (server.isLocal) return good('connection', `${description} answers, on this machine`);
  const mend = 'Add sslmode=verify-full to DATABASE_URL: personal data travels over this connection.';
  return warning('connection', `${description} answers, but without TLS`, mend);
}

function versionFinding({ versionNumber, version }: ServerFacts): Finding {
  const major = Math.floor(versionNumber / 10_000);
  const found = `PostgreSQL ${version}`;
  if (major < majorMin) {
    return failed('version', `${found} is too old`, `Use PostgreSQL ${majorMin} to ${majorMax}.`);
  }
  return major > majorMax
    ? warning(
        'version',
        `${found} is newer than those Rollcall was tested with`,
        `Use one up to ${majorMax}.`,
      )
    : good('version', found);
}

function encodingFinding({ encoding }: ServerFacts): Finding {
  if (encoding === 'UTF8') return good('encoding', encoding);
  return failed('encoding', encoding, `Create the database with ENCODING 'UTF8' TEMPLATE template0.`);
}

function writesFinding({ server: { isStandby, canCreateTables }, applied }: AnsweredLook): Finding {
  if (isStandby) {
    return failed('writes', 'it is a standby, which takes none', 'Let DATABASE_URL name the primary.');
  }
  if (canCreateTables) return good('writes', 'the role may create tables');
  const found = 'the role may not create tables';
  return applied.length >= migrationNames.length
    ? good('writes', `${found}: upgrade with \`rollcall migrate\` as the owner`)
    : failed(
        'writes',
        found,
        'Run `rollcall migrate` as the owner, or GRANT CREATE ON SCHEMA public TO the role.',
      );
}

/** How many connections PostgreSQL gets is up to the pooler then. */
function pooledFindings({ workers, limits }: PoolSettings): Finding[] {
  const needed = workers * limits.poolConnectionsMax;
  return [
    note(
      'pooler',
      'a transaction pooler such as PgBouncer is in between: statements are prepared for each use, and timeouts set per transaction',
    ),
    note(
      'connections',
      `this node opens up to ${needed} to the pooler; max_client_conn there has to allow for all nodes`,
    ),
  ];
}

function poolFinding({ connectionsMax }: ServerFacts, { workers, limits }: PoolSettings): Finding {
  const needed = workers * limits.poolConnectionsMax;
  const found = `this node uses up to ${needed} of ${connectionsMax}`;
  const mend = 'Lower ROLLCALL_POOL_CONNECTIONS_MAX or ROLLCALL_WORKERS, or raise max_connections.';
  if (needed > connectionsMax) return failed('connections', found, mend);
  return needed > connectionsMax / 2 ? warning('connections', found, mend) : good('connections', found);
}
