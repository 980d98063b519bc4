import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import type { RunningService } from '../../main.js';
import type { FirstStart } from '../../startup/prepare-database.js';
import { host } from '../host.js';
import { out } from '../terminal/style.js';

/** Waits until requests are served. If startup fails, stops the service and throws the reason. */
export async function untilReady(service: RunningService): Promise<FirstStart | undefined> {
  return service.ready.catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
}

/** Logs what an operator needs to know: where the service is, how to sign in, what to fix. */
export function logReady(first: FirstStart | undefined, url: string, config: Config, logger: Logger): void {
  logger.info(`Ready. Console: ${url}  API documentation: ${url}/docs`);
  if (first) printFirstStart(first, url, logger.info.bind(logger));
  if (config.bootstrapClient && config.bootstrapClient.secret.length < 32) {
    logger.warn('ROLLCALL_BOOTSTRAP_CLIENT_SECRET is short. Use at least 32 random characters.');
  }
  if (config.databaseUrl !== undefined && config.secretKey === undefined) {
    logger.warn(
      'ROLLCALL_SECRET_KEY is not set, so this node uses its own key. A password given on create can only be sent by the node that received it.',
    );
  }
}

/** Prints the credentials only on an interactive terminal: secrets do not belong in a log. */
function printFirstStart({ credentials, file }: FirstStart, url: string, log: (line: string) => void): void {
  log(`First start: the credentials of the first client and the administrator are in ${file}.`);
  if (!host().stdout.isTTY) return;
  host().stdout.write(`
  ${out.bold('First start.')} These credentials are shown once and saved in ${file}

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
