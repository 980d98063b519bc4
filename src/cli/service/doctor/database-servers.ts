import type { Config } from '../../../config.js';
import { parseDatabaseUrl } from '../../../contract/database-url.js';
import { diagnose } from '../../../storage/diagnosis.js';
import { openDatabase } from '../../../storage/open-database.js';
import { serverFacts } from '../../../storage/server-facts.js';
import { type Finding, good, note, warning } from './finding.js';

export type ServerState =
  | { readonly kind: 'primary' | 'standby'; readonly description: string }
  | { readonly kind: 'unusable'; readonly description: string; readonly problem: string };

/** Connects to each server of DATABASE_URL. Empty if there is only one, which has its own checks. */
export async function inspectServers(config: Config, timeoutMs: number): Promise<ServerState[]> {
  const parsed = parseDatabaseUrl(config.databaseUrl ?? '');
  if (!parsed.ok || parsed.servers.urls.length === 1) return [];
  const limits = { ...config.limits, poolConnectionsMax: 1, connectTimeoutMs: timeoutMs };
  return Promise.all(
    parsed.servers.urls.map((databaseUrl) => inspectServer({ ...config, databaseUrl, limits })),
  );
}

async function inspectServer(config: Config): Promise<ServerState> {
  const database = await openDatabase(config, 'leave');
  const { description } = database;
  try {
    const { isStandby } = await serverFacts(database.pool);
    return { kind: isStandby ? 'standby' : 'primary', description };
  } catch (error) {
    const diagnosis = diagnose(database, error);
    if (!diagnosis) throw error;
    return { kind: 'unusable', description, problem: diagnosis.problem };
  } finally {
    await database.close();
  }
}

export function serverFindings(servers: readonly ServerState[]): Finding[] {
  const primaries = servers.filter(({ kind }) => kind === 'primary').length;
  return servers.map((server) => {
    const check = 'server';
    if (server.kind === 'unusable')
      return warning(check, server.problem, 'Repair this server, or remove it from DATABASE_URL.');
    if (server.kind === 'standby') return note(check, `${server.description} is a standby`);
    return primaries === 1
      ? good(check, `${server.description} is the primary`)
      : warning(
          check,
          `${server.description} is one of ${primaries} primaries`,
          'Stop all but one of them: changes on the others will be lost.',
        );
  });
}
