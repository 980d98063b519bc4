import type { Rollcall, Schemas } from '#client';
import type { RotateOptions } from '../clients/clients.js';
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
import { formatSecrets, formatTime } from '../terminal/format-time.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { sanitize } from '../terminal/text-width.js';

export type Application = Schemas['Application'];

/** `rollcall applications list` */
export async function listApplications(options: ListOptions): Promise<void> {
  const applications = connectInteractive().each('listApplications', {
    query: { limit: pageLimit(options) },
  });
  await printList<Application>(applications, options, {
    headings: ['ID', 'NAME', 'STATUS', 'USERS', 'SCOPES'],
    row: ({ id, name, isActive, users, scopes }) => [
      id,
      name,
      isActive ? 'active' : 'disabled',
      String(users),
      scopes.join(' '),
    ],
    empty: 'No applications. To create some, see rollcall applications apply --help.',
  });
}

/** `rollcall applications show NAME` */
export async function showApplication(name: string, options: JsonOption): Promise<void> {
  printRecord(await applicationNamed(connectInteractive(), name), options, formatApplication);
}

/** `rollcall applications rotate-secret NAME` */
export async function rotateApplicationSecret(
  name: string,
  { overlapSeconds, json }: RotateOptions,
): Promise<void> {
  const rollcall = connectInteractive();
  const { id } = await applicationNamed(rollcall, name);
  const body = overlapSeconds === undefined ? {} : { overlapSeconds };
  const { data } = (await rollcall.call('rotateApplicationSecret', { path: { id }, body })).body;
  printRecord(data, { json }, () => [...formatApplication(data), ['secret', data.secret ?? '']]);
  printMessage('The secret will not be shown again.');
}

interface DeleteOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall applications delete NAME` */
export async function deleteApplication(name: string, { yes, json }: DeleteOptions): Promise<void> {
  const rollcall = connectInteractive();
  const application = await applicationNamed(rollcall, name);
  const asked = `Delete ${sanitize(application.name)}? All its users lose access. This cannot be undone.`;
  await confirmOrAbort(asked, yes);
  const deleted = await rollcall.call('deleteApplication', { path: { id: application.id } });
  if (json) printJson(deleted.body.data);
  else printMessage('Application deleted.');
}

/** Names are unique, ignoring case. */
async function applicationNamed(rollcall: Rollcall, nameOrId: string): Promise<Application> {
  for await (const application of rollcall.each('listApplications', {})) {
    const { id, name } = application;
    if (id === nameOrId || name.toLowerCase() === nameOrId.toLowerCase()) return application;
  }
  throw new CommandProblem(
    'wrongUse',
    `No application is called ${sanitize(nameOrId)}. To see them: rollcall applications list`,
  );
}

function formatApplication(application: Application): [name: string, value: string][] {
  const { organizationSerials, tagSerials } = application;
  return [
    ['ID', application.id],
    ['name', application.name],
    ['type', application.isPublic ? 'public' : 'confidential'],
    ['status', application.isActive ? 'active' : 'disabled'],
    ['redirect URLs', application.redirectUris.join(' ')],
    ['after signing out', application.postLogoutUris.join(' ')],
    ['scopes', application.scopes.join(' ')],
    ['attributes', application.attributes.join(', ')],
    ['organizations', organizationSerials.length === 0 ? 'any' : organizationSerials.join(', ')],
    ['tags', tagSerials.length === 0 ? 'any' : tagSerials.join(', ')],
    ['access tokens', `${application.accessTokenSeconds} s`],
    ['refresh tokens', `${application.refreshTokenDays} days`],
    ['users with access', String(application.users)],
    ['created', formatTime(application.createdAt)],
    ['secrets', formatSecrets(application.secrets)],
  ];
}
