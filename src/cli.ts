#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigInvalid, readConfig } from './config.js';
import { version } from './http/openapi-document.js';
import { createLogger } from './logger.js';
import { type FirstStart, type RunningService, startService } from './main.js';
import { StartRefused } from './storage/errors.js';

const program = new Command('rollcall')
  .description('User management by employee ID.')
  .version(version)
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true });

program
  .command('serve')
  .description('Run the service. Configuration comes from the environment; see docs/configuration.md.')
  .addHelpText(
    'after',
    '\nExamples:\n  $ rollcall serve\n  $ DATABASE_URL=postgres://localhost/rollcall PORT=9000 rollcall serve\n',
  )
  .action(serve);

await program.parseAsync();

async function serve(): Promise<void> {
  try {
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
  } catch (error) {
    process.stderr.write(`${startProblem(error)}\n`);
    process.exitCode = 1;
    // PGlite keeps the process alive on its own account.
    process.exit();
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
  const bold = process.env.NO_COLOR ? (text: string) => text : (text: string) => `\u001b[1m${text}\u001b[22m`;
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

function startProblem(error: unknown): string {
  if (error instanceof ConfigInvalid) return `Rollcall cannot start:\n  ${error.problems.join('\n  ')}`;
  if (error instanceof StartRefused) return `Rollcall cannot start: ${error.message}`;
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') {
    return `Rollcall cannot start: ${address}:${port} is in use. Stop the other program, or set PORT.`;
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `Rollcall cannot start: it cannot listen on ${address ?? 'this address'} (${code}). Set HOST and PORT.`;
  }
  return `Rollcall cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
