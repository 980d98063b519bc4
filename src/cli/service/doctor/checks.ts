import type { Config } from '../../../config.js';
import { checkPort, localUrl, probeService, publicUrlFindings, type ServiceAnswer } from './addresses.js';
import { clockFinding } from './clock.js';
import { checkDataDirectory, checkDisk } from './data-directory.js';
import { checkEmbedded } from './embedded.js';
import type { Finding, FindingGroup } from './finding.js';
import { checkIssuers } from './issuers.js';
import { checkMail, checkSmsGateway, checkTemplates } from './messages.js';
import { inspectPostgres, type PostgresFacts } from './postgres.js';
import { postgresFindings } from './postgres-findings.js';
import { checkStoredSecrets, secretKeyFinding } from './secrets.js';
import { withTimeLimit } from './time-limit.js';

/** Opening it may take seconds on a slow machine, and involves no network. */
const embeddedLimitMs = 30_000;

/** Runs all checks concurrently, each with a time limit. */
export async function runChecks(config: Config): Promise<FindingGroup[]> {
  const postgres = config.databaseUrl === undefined ? undefined : inspectPostgres(config);
  const localAnswer: Promise<ServiceAnswer> =
    config.port === 0
      ? Promise.resolve({ kind: 'none', reason: 'no fixed port' })
      : probeService(localUrl(config));
  const publicAnswer = probeService(config.publicUrl);
  const groups: Record<string, Promise<readonly Finding[]>> = {
    'data directory': withTimeLimit('directory', checkDirectory(config)),
    database: postgres
      ? withTimeLimit(
          'connection',
          postgres.then((facts) => [
            ...postgresFindings(facts, config),
            ...(facts.ok ? checkStoredSecrets(facts.secrets, config) : []),
          ]),
        )
      : withTimeLimit('embedded database', checkEmbedded(config), embeddedLimitMs),
    clock: withTimeLimit('clock', checkClocks(postgres, publicAnswer, localAnswer)),
    addresses: withTimeLimit('addresses', checkAddresses(config, publicAnswer, localAnswer)),
    messages: checkMessages(config),
    access: withTimeLimit('issuers', checkAccess(config)),
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
  postgres: Promise<PostgresFacts> | undefined,
  publicAnswer: Promise<ServiceAnswer>,
  localAnswer: Promise<ServiceAnswer>,
): Promise<Finding[]> {
  const facts = await postgres;
  const answers = await Promise.all([publicAnswer, localAnswer]);
  const serving = answers.find((answer) => answer.kind === 'rollcall');
  const ofService = clockFinding('service', serving?.clock);
  return facts?.ok ? [clockFinding('database', facts.clock), ofService] : [ofService];
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
    withTimeLimit('mail server', checkMail(config)),
    withTimeLimit(
      'SMS gateway',
      checkSmsGateway(config.smsGatewayUrl).then((finding) => [finding]),
    ),
  ]);
  return [...findings.flat(), checkTemplates(config)];
}

async function checkAccess(config: Config): Promise<Finding[]> {
  return [secretKeyFinding(config), ...(await checkIssuers(config.issuers))];
}
