import { isRollcallError, type RequestBody, type Rollcall } from '#client';
import type { KeyValue } from '../arguments.js';
import { readAttributes } from '../attribute-definitions.js';
import type { MatchingOptions } from '../matching/options.js';
import { runMatching } from '../matching/run-matching.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { connectInteractive } from '../session/connect.js';
import { shellQuoted } from '../terminal/shell-quoted.js';
import { sanitize } from '../terminal/text-width.js';
import { type UserFilters, userQuery } from './filters.js';
import { formatNoMatches } from './matches.js';

export interface UpdateMatchingOptions extends UserFilters, MatchingOptions {
  readonly addTag?: string[] | undefined;
  readonly removeTag?: string[] | undefined;
  readonly setOrganization?: string | undefined;
  readonly clearOrganization?: boolean | undefined;
  readonly setManager?: string | undefined;
  readonly clearManager?: boolean | undefined;
  readonly setAttribute?: readonly KeyValue[] | undefined;
  readonly activate?: boolean | undefined;
  readonly deactivate?: boolean | undefined;
}

/** `rollcall users update-matching` */
export async function updateMatching(options: UpdateMatchingOptions): Promise<CommandResult> {
  const [filter, plain, { setAttribute = [] }] = [filterOf(options), userPatchOf(options), options];
  const attributes = await readAttributes(connectInteractive(), setAttribute, '--set-attribute');
  const body = { filter, patch: setAttribute.length > 0 ? { ...plain, attributes } : plain };
  return runMatching(
    {
      send: (rollcall, query) => rollcall.call('updateMatching', { query, body }),
      nobody: formatNoMatches(options),
      notes: (rollcall) => newSerialNotes(rollcall, body.patch),
    },
    options,
  );
}

/** With open directories, a misspelled serial is accepted like any new one. */
async function newSerialNotes(
  rollcall: Rollcall,
  { addTagSerials, organizationSerial }: Body['patch'],
): Promise<string[]> {
  const notes: string[] = [];
  for (const serial of addTagSerials ?? []) {
    if (await isNew(rollcall.call('getTag', { path: { serial } }))) notes.push(newNote(serial, 'tag'));
  }
  if (organizationSerial) {
    const found = rollcall.call('getOrganization', { path: { serial: organizationSerial } });
    if (await isNew(found)) notes.push(newNote(organizationSerial, 'organization'));
  }
  return notes;
}

function newNote(serial: string, noun: string): string {
  return `${shellQuoted(sanitize(serial))} is a new ${noun}. Check the spelling.`;
}

async function isNew(found: Promise<unknown>): Promise<boolean> {
  try {
    await found;
    return false;
  } catch (error) {
    if (isRollcallError(error, 'DIRECTORY_ENTRY_NOT_FOUND')) return true;
    throw error;
  }
}

type Body = RequestBody<'updateMatching'>;

/** An empty search, perhaps from an empty variable in a script, would match everyone. */
export function filterOf(filters: UserFilters): Body['filter'] {
  if (filters.search?.trim() === '') {
    throw new CommandProblem('wrongUse', '--search is empty. Check that all variables are set.');
  }
  const filter = Object.entries(userQuery(filters)).filter(([, value]) => value !== undefined);
  if (filter.length > 0) return Object.fromEntries(filter) as Body['filter']; // the parameters of lists, without undefined
  throw new CommandProblem(
    'wrongUse',
    'Specify which users to update, with at least one filter. See rollcall users update-matching --help.',
  );
}

export function userPatchOf(options: UpdateMatchingOptions): Body['patch'] {
  const { addTag, removeTag = [], setOrganization, clearOrganization, activate, deactivate } = options;
  const { setManager, clearManager } = options;
  const both = addTag?.find((tag) => removeTag.includes(tag));
  if (both !== undefined) {
    throw new CommandProblem(
      'wrongUse',
      `The tag "${both}" is both added and removed. Keep only one of them.`,
    );
  }
  const patch = {
    ...(addTag && { addTagSerials: addTag }),
    ...(removeTag.length > 0 && { removeTagSerials: removeTag }),
    ...(setOrganization !== undefined && { organizationSerial: setOrganization }),
    ...(clearOrganization && { organizationSerial: null }),
    ...(setManager !== undefined && { managerEmployeeID: setManager }),
    ...(clearManager && { managerEmployeeID: null }),
    ...(activate && { isActive: true }),
    ...(deactivate && { isActive: false }),
  };
  if (Object.keys(patch).length > 0 || options.setAttribute !== undefined) return patch;
  throw new CommandProblem(
    'wrongUse',
    'Specify what to change, for example --add-tag T1. See rollcall users update-matching --help.',
  );
}
