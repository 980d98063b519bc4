import type { Config } from '../../../config.js';
import { clockFinding } from './clock.js';
import { checkDataDirectory } from './data-directory.js';
import { checkDisk } from './disk.js';
import { checkEmbedded } from './embedded.js';
import type { Finding, FindingGroup } from './finding.js';
import { checkIssuers } from './issuers.js';
import { checkMail } from './mail.js';
import { checkPort } from './port.js';
import { lookAtPostgres, type PostgresLook } from './postgres.js';
import { postgresFindings } from './postgres-findings.js';
import { publicUrlFindings } from './public-url.js';
import { secretKeyFinding } from './secret-key.js';
import { askService, localUrl, type ServiceAnswer } from './service-answer.js';
import { checkSmsGateway } from './sms-gateway.js';
import { checkStoredSecrets } from './stored-secrets.js';
import { checkTemplates } from './templates.js';
import { withinTime } from './time-limit.js';

/** Opening it takes seconds of work on a slow machine, and no network that could be silent. */
const embeddedLimitMs = 30_000;

/** All of them beside each other; each has its time limit. */
export async function runChecks(config: Config): Promise<FindingGroup[]> {
  const postgres = config.databaseUrl === undefined ? undefined : lookAtPostgres(config);
  const localAnswer: Promise<ServiceAnswer> =
    config.port === 0
      ? Promise.resolve({ kind: 'nobody', reason: 'no port is set' })
      : askService(localUrl(config));
  const publicAnswer = askService(config.publicUrl);
  const groups: Record<string, Promise<readonly Finding[]>> = {
    'data directory': withinTime('directory', checkDirectory(config)),
    database: postgres
      ? withinTime(
          'connection',
          postgres.then((look) => [
            ...postgresFindings(look, config),
            ...(look.ok ? checkStoredSecrets(look.secrets, config) : []),
          ]),
        )
      : withinTime('embedded database', checkEmbedded(config), embeddedLimitMs),
    clock: withinTime('clock', checkClocks(postgres, publicAnswer, localAnswer)),
    addresses: withinTime('addresses', checkAddresses(config, publicAnswer, localAnswer)),
    messages: checkMessages(config),
    access: withinTime('issuers', checkAccess(config)),
  };
  return Promise.all(
    Object.entries(groups).map(async ([group, findings]) => ({ group, findings: await findings })),
  );
}

async function checkDirectory({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  return [
    ...checkDataDirectory(dataDir, databaseUrl === undefined ? 'embedded' : 'postgres'),
    await checkDisk(dataDir),
  ];
}

async function checkClocks(
  postgres: Promise<PostgresLook> | undefined,
  publicAnswer: Promise<ServiceAnswer>,
  localAnswer: Promise<ServiceAnswer>,
): Promise<Finding[]> {
  const look = await postgres;
  const answers = await Promise.all([publicAnswer, localAnswer]);
  const serving = answers.find((answer) => answer.kind === 'rollcall');
  const ofService = clockFinding('of the service', serving?.clock);
  return look?.ok ? [clockFinding('of the database', look.clock), ofService] : [ofService];
}

async function checkAddresses(
  config: Config,
  publicAnswer: Promise<ServiceAnswer>,
  localAnswer: Promise<ServiceAnswer>,
): Promise<Finding[]> {
  const [answer, local] = await Promise.all([publicAnswer, localAnswer]);
  const port = await checkPort(config, local);
  return [port, ...publicUrlFindings({ ...config, answer, localAnswer: local })];
}

async function checkMessages(config: Config): Promise<Finding[]> {
  const findings = await Promise.all([
    withinTime('mail server', checkMail(config)),
    withinTime(
      'SMS gateway',
      checkSmsGateway(config.smsGatewayUrl).then((finding) => [finding]),
    ),
  ]);
  return [...findings.flat(), checkTemplates(config.templatesDir)];
}

async function checkAccess(config: Config): Promise<Finding[]> {
  return [secretKeyFinding(config), ...(await checkIssuers(config.issuers))];
}
