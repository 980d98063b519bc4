import type { Config } from '../../../config.js';
import { migrationNames } from '../../../storage/migrate.js';
import type { ServerFacts } from '../../../storage/server-facts.js';
import { serverFindings } from './database-servers.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import type { PostgresFacts } from './postgres.js';
import { indexFinding, schemaFinding } from './schema.js';

const majorMin = 15;
const majorMax = 18;

type ReachableFacts = Extract<PostgresFacts, { readonly ok: true }>;
type PoolSettings = Pick<Config, 'workers' | 'limits'>;

export function postgresFindings(facts: PostgresFacts, config: PoolSettings): Finding[] {
  if (!facts.ok) {
    const { problem, advice } = facts.diagnosis;
    const fix = `${advice} The service starts without it and waits.`;
    return [failed('connection', problem, fix), ...serverFindings(facts.servers)];
  }
  return [
    connectionFinding(facts),
    ...serverFindings(facts.servers),
    versionFinding(facts.server),
    encodingFinding(facts.server),
    writesFinding(facts),
    schemaFinding(facts.applied),
    indexFinding(facts.index),
    ...(facts.isPooled ? pooledFindings(config) : [poolFinding(facts.server, config)]),
  ];
}

function connectionFinding({ description, server }: ReachableFacts): Finding {
  if (server.isEncrypted) return good('connection', `${description} responds, with TLS`);
  if (server.isLocal) return good('connection', `${description} responds, on this machine`);
  const fix = 'Add sslmode=verify-full to DATABASE_URL: personal data travels over this connection.';
  return warning('connection', `${description} responds, but without TLS`, fix);
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
        `${found} is newer than the versions Rollcall is tested with`,
        `Use version ${majorMin} to ${majorMax}.`,
      )
    : good('version', found);
}

function encodingFinding({ encoding }: ServerFacts): Finding {
  if (encoding === 'UTF8') return good('encoding', encoding);
  return failed('encoding', encoding, `Create the database with ENCODING 'UTF8' TEMPLATE template0.`);
}

function writesFinding({ server: { isStandby, canCreateTables }, applied }: ReachableFacts): Finding {
  if (isStandby) {
    return failed(
      'writes',
      'the server is a standby, which is read-only',
      'Point DATABASE_URL to the primary.',
    );
  }
  if (canCreateTables) return good('writes', 'the role can create tables');
  const found = 'the role cannot create tables';
  return applied.length >= migrationNames.length
    ? good('writes', `${found}: upgrade with \`rollcall migrate\` as the owner`)
    : failed(
        'writes',
        found,
        'Run `rollcall migrate` as the owner, or GRANT CREATE ON SCHEMA public TO the role.',
      );
}

/** The pooler decides how many connections PostgreSQL gets. */
function pooledFindings({ workers, limits }: PoolSettings): Finding[] {
  const needed = workers * limits.poolConnectionsMax;
  return [
    note(
      'pooler',
      'connections go through a transaction pooler such as PgBouncer: statements are prepared for each use, and timeouts are set per transaction',
    ),
    note(
      'connections',
      `this node opens up to ${needed} to the pooler; its max_client_conn has to allow for all nodes`,
    ),
  ];
}

function poolFinding({ connectionsMax }: ServerFacts, { workers, limits }: PoolSettings): Finding {
  const needed = workers * limits.poolConnectionsMax;
  const found = `this node uses up to ${needed} of ${connectionsMax}`;
  const fix = 'Lower ROLLCALL_POOL_CONNECTIONS_MAX or ROLLCALL_WORKERS, or raise max_connections.';
  if (needed > connectionsMax) return failed('connections', found, fix);
  return needed > connectionsMax / 2 ? warning('connections', found, fix) : good('connections', found);
}
