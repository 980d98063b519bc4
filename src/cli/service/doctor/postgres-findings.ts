import type { Config } from '../../../config.js';
import type { ServerFacts } from '../../../storage/server-facts.js';
import { databaseAdvice } from '../local-database.js';
import { type Finding, failed, good, warning } from './finding.js';
import type { PostgresLook } from './postgres.js';
import { schemaFinding } from './schema.js';

const majorMin = 15;
const majorMax = 18;

type PoolSettings = Pick<Config, 'workers' | 'limits'>;

export function postgresFindings(look: PostgresLook, config: PoolSettings): Finding[] {
  if (!look.ok) {
    const mend = `${databaseAdvice} Until it answers, a service starts and waits for it.`;
    return [failed('connection', look.problem, mend)];
  }
  return [
    good('connection', `${look.description} answers`),
    versionFinding(look.server),
    encodingFinding(look.server),
    writesFinding(look.server),
    schemaFinding(look.applied),
    poolFinding(look.server, config),
  ];
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

function writesFinding({ isStandby, canCreateTables }: ServerFacts): Finding {
  if (isStandby) {
    return failed('writes', 'it is a standby, which takes none', 'Let DATABASE_URL name the primary.');
  }
  return canCreateTables
    ? good('writes', 'the role may create tables')
    : failed('writes', 'the role may not create tables', 'GRANT CREATE ON SCHEMA public TO the role.');
}

function poolFinding({ connectionsMax }: ServerFacts, { workers, limits }: PoolSettings): Finding {
  const needed = workers * limits.poolConnectionsMax;
  const found = `this node uses up to ${needed} of ${connectionsMax}`;
  const mend = 'Lower ROLLCALL_POOL_CONNECTIONS_MAX or ROLLCALL_WORKERS, or raise max_connections.';
  if (needed > connectionsMax) return failed('connections', found, mend);
  return needed > connectionsMax / 2 ? warning('connections', found, mend) : good('connections', found);
}
