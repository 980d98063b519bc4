import { readConfig } from '../config.js';
import { createLogger } from '../logger.js';
import { type FirstStart, type RunningService, startService } from '../main.js';
import { bold } from './terminal.js';

/** `rollcall serve`: runs until a signal stops it. */
export async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config);
  const service = await startService(config, logger);
  stopOnSignals(service, logger.info.bind(logger));
  const first = await service.ready.catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  logger.info(`Ready. The API can be tried at ${service.url}/docs.`);
  if (first) announceFirstStart(first, service.url, logger.info.bind(logger));
  if (config.bootstrapClient && config.bootstrapClient.secret.length < 32) {
    logger.warn('ROLLCALL_BOOTSTRAP_CLIENT_SECRET is short; use 32 or more random characters.');
  }
  if (config.databaseUrl !== undefined && config.secretKey === undefined) {
    logger.warn(
      'ROLLCALL_SECRET_KEY is not set, so this node has a key of its own: a given password can be sent only by the node that took it.',
    );
  }
}

/** The credentials go to the terminal only where a person sits before one: a log is no place for a secret. */
function announceFirstStart(
  { credentials, file }: FirstStart,
  url: string,
  log: (line: string) => void,
): void {
  log(`First start: the credentials of the first client and of the administrator are in ${file}.`);
  if (!process.stdout.isTTY) return;
  process.stdout.write(`
  ${bold('First start.')} Shown once; also in ${file}

    client ID       ${credentials.clientId}
    client secret   ${credentials.clientSecret}
    administrator   ${credentials.username}
    password        ${credentials.password}

  ${bold('Try it:')}

    TOKEN=$(curl -s ${url}/oauth/token -u '${credentials.clientId}:${credentials.clientSecret}' \\
      -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
    curl -s ${url}/service/users -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
      -d '{"employeeID":"E1001","name":"Ada Lovelace","email":"ada@example.com","isActive":true}'

`);
}

function stopOnSignals(service: RunningService, log: (line: string) => void): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log(`${signal}: finishing what runs, then stopping. Again to stop at once.`);
    const inTime = await service.stop().catch(() => false);
    process.exit(inTime ? 0 : 1);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
