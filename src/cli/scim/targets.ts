import type { RequestBody, Schemas } from '#client';
import {
  type JsonOption,
  type ListOptions,
  pageLimit,
  printJson,
  printList,
  printMessage,
  printRecord,
} from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { readSecret } from '../session/secret-input.js';
import { formatTime } from '../terminal/format-time.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { sanitize } from '../terminal/text-width.js';

type Target = Schemas['ScimTarget'];

interface TargetOptions extends JsonOption {
  readonly organizations?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly groups?: boolean | undefined;
  readonly sensitive?: boolean | undefined;
  readonly onDeactivate?: Target['onDeactivate'] | undefined;
  readonly requestsPerSecond?: number | undefined;
}

/** `rollcall scim targets list` */
export async function listTargets(options: ListOptions): Promise<void> {
  const targets = connectInteractive().each('listScimTargets', { query: { limit: pageLimit(options) } });
  await printList<Target>(targets, options, {
    headings: ['ID', 'NAME', 'STATUS', 'USERS', 'QUEUED', 'FAILED', 'URL'],
    row: (target) => [
      target.id,
      target.name,
      targetStatus(target),
      String(target.users),
      String(target.queued),
      String(target.failed),
      target.url,
    ],
    empty: 'No SCIM targets. To create one, see rollcall scim targets create --help.',
  });
}

/** `rollcall scim targets show ID` */
export async function showTarget(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('getScimTarget', { path: { id } });
  printRecord(body.data, options, formatTarget);
}

/** `rollcall scim targets create NAME URL` */
export async function createTarget(name: string, url: string, options: TargetOptions): Promise<void> {
  const token = await readToken();
  const body = { name, url, token, ...settingsOf(options) };
  const created = await connectInteractive().call('createScimTarget', { body });
  printRecord(created.body.data, options, formatTarget);
}

interface UpdateOptions extends TargetOptions {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly newToken?: boolean | undefined;
}

/** `rollcall scim targets update ID` */
export async function updateTarget(id: string, options: UpdateOptions): Promise<void> {
  const { name, url, newToken } = options;
  const body = {
    ...settingsOf(options),
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(newToken ? { token: await readToken() } : {}),
  };
  if (Object.keys(body).length === 0) {
    throw new CommandProblem(
      'wrongUse',
      'Nothing to update. See rollcall scim targets update --help for the options.',
    );
  }
  await change(id, body, options);
}

/** `rollcall scim targets pause ID` */
export function pauseTarget(id: string, options: JsonOption): Promise<void> {
  return change(id, { isPaused: true }, options);
}

/** `rollcall scim targets resume ID` */
export function resumeTarget(id: string, options: JsonOption): Promise<void> {
  return change(id, { isPaused: false }, options);
}

async function change(id: string, body: RequestBody<'updateScimTarget'>, options: JsonOption): Promise<void> {
  const updated = await connectInteractive().call('updateScimTarget', { path: { id }, body });
  printRecord(updated.body.data, options, formatTarget);
}

/** `rollcall scim targets sync ID` */
export async function syncTarget(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('syncScimTarget', { path: { id } });
  printRecord(body.data, options, formatTarget);
}

/** `rollcall scim targets compare ID` */
export async function compareTarget(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('compareScimTarget', { path: { id } });
  printRecord(body.data, options, formatTarget);
}

/** `rollcall scim targets repair ID` */
export async function repairTarget(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('repairScimTarget', { path: { id } });
  printRecord(body.data, options, formatTarget);
}

/** `rollcall scim targets differences ID` */
export async function listDifferences(id: string, options: ListOptions): Promise<void> {
  const query = { limit: pageLimit(options) };
  const found = connectInteractive().each('listScimDifferences', { path: { id }, query });
  await printList<Schemas['ScimDifference']>(found, options, {
    headings: ['KIND', 'USER OR TAG', 'ID THERE', 'ATTRIBUTES'],
    row: ({ kind, userSerial, tagSerial, remoteId, fields }) => [
      kind,
      userSerial ?? sanitize(tagSerial ?? ''),
      sanitize(remoteId ?? ''),
      fields.join(', '),
    ],
    empty: 'No differences. To compare, see rollcall scim targets compare --help.',
  });
}

/** `rollcall scim targets failures ID` */
export async function listFailures(id: string, options: ListOptions): Promise<void> {
  const query = { limit: pageLimit(options) };
  const failed = connectInteractive().each('listScimPushFailures', { path: { id }, query });
  await printList<Schemas['ScimPushFailure']>(failed, options, {
    headings: ['KIND', 'SERIAL', 'ATTEMPTS', 'ERROR', 'NEXT ATTEMPT'],
    row: ({ kind, serial, attempts, error, status, nextAttemptAt }) => [
      kind,
      serial,
      String(attempts),
      errorText(error, status),
      formatTime(nextAttemptAt),
    ],
    empty: 'No failures.',
  });
}

interface DeleteOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall scim targets delete ID` */
export async function deleteTarget(id: string, { yes, json }: DeleteOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { body } = await rollcall.call('getScimTarget', { path: { id } });
  await confirmOrAbort(`Delete the SCIM target ${sanitize(body.data.name)}? Its users stay there.`, yes);
  const deleted = await rollcall.call('deleteScimTarget', { path: { id } });
  if (json) printJson(deleted.body.data);
  else printMessage('SCIM target deleted.');
}

async function readToken(): Promise<string> {
  return (await readSecret('Token of the SCIM service', 'token')).trim();
}

function settingsOf(options: TargetOptions): Partial<RequestBody<'createScimTarget'>> {
  const { organizations, tags, groups, sensitive, onDeactivate, requestsPerSecond } = options;
  return {
    ...(organizations === undefined ? {} : { organizationSerials: [...organizations] }),
    ...(tags === undefined ? {} : { tagSerials: [...tags] }),
    ...(groups === undefined ? {} : { sendsGroups: groups }),
    ...(sensitive === undefined ? {} : { sendsSensitive: sensitive }),
    ...(onDeactivate === undefined ? {} : { onDeactivate }),
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
  };
}

function formatTarget(target: Target): [name: string, value: string][] {
  const { organizationSerials, tagSerials, comparison, lastError } = target;
  return [
    ['ID', target.id],
    ['name', target.name],
    ['URL', target.url],
    ['organizations', organizationSerials.join(', ') || 'all'],
    ['tags', tagSerials.join(', ') || 'all'],
    ['groups', target.sendsGroups ? 'yes' : 'no'],
    ['sensitive attributes', target.sendsSensitive ? 'yes' : 'no'],
    ['on deactivation', target.onDeactivate],
    ['rate', `up to ${target.requestsPerSecond} requests per second`],
    ['status', targetStatus(target)],
    ['users there', String(target.users)],
    ['groups there', String(target.groups)],
    ['queued', String(target.queued)],
    ['failed', String(target.failed)],
    ['last push', formatTime(target.lastPushAt)],
    ['next attempt', formatTime(target.nextAttemptAt)],
    ['last error', lastError === null ? '' : errorText(lastError, target.lastStatus)],
    ['comparison', comparison === null ? '' : comparisonText(comparison)],
    ['created', formatTime(target.createdAt)],
  ];
}

function targetStatus({ isPaused, pausedBecause, failingSince, isSyncing }: Target): string {
  if (isPaused) return pausedBecause === null ? 'paused' : `paused: ${pausedBecause}`;
  if (failingSince !== null) return `failing since ${formatTime(failingSince)}`;
  return isSyncing ? 'syncing' : 'active';
}

function errorText(error: string, status: number | null): string {
  return status === null ? error : `${error} (${status})`;
}

function comparisonText(comparison: NonNullable<Target['comparison']>): string {
  const { endedAt, compared, total, groupsCompared, missing, extra, different, error } = comparison;
  if (endedAt === null) return `running: ${compared} of ${total ?? '?'} users`;
  if (error !== null) return `failed: ${error}`;
  return `${missing} missing, ${extra} extra, ${different} different, of ${compared} users and ${groupsCompared} groups there`;
}
