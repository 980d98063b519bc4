import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import type { FirstStart, RunningService } from '../../main.js';
import { out } from '../terminal/style.js';

/** Waits until requests are served. A service that never can is stopped, and throws why. */
export async function untilReady(service: RunningService): Promise<FirstStart | undefined> {
  return service.ready.catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
}

/** What an operator wants to know of a service that has started: where it is, how to get in, what to mend. */
export function tellReady(first: FirstStart | undefined, url: string, config: Config, logger: Logger): void {
  logger.info(`Ready. The console is at ${url}, and the API can be tried at ${url}/docs.`);
  if (first) announceFirstStart(first, url, logger.info.bind(logger));
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
  ${out.bold('First start.')} Shown once; also in ${file}

    client ID       ${credentials.clientId}
    client secret   ${credentials.clientSecret}
    administrator   ${credentials.username}
    password        ${credentials.password}

  ${out.bold('Sign in')} as ${credentials.username} at ${url}

  ${out.bold('Or try the API:')}

    TOKEN=$(curl -s ${url}/oauth/token -u '${credentials.clientId}:${credentials.clientSecret}' \\
      -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
    curl -s ${url}/service/users -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
      -d '{"employeeID":"E1001","name":"Ada Lovelace","email":"ada@example.com","isActive":true}'

`);
}
