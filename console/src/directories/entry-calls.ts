import { type DirectoryKind, directoriesKey, type Entry } from '../components/directory.js';
import { type MatchingCall, matchingResult } from '../matching/matching-call.js';
import { queryClient, rollcall } from '../session/api.js';

export interface EntryDetails {
  readonly displayName: string | null;
  /** Of organizations. */
  readonly parentSerial: string | null;
}

export async function saveEntry(kind: DirectoryKind, serial: string, details: EntryDetails): Promise<void> {
  const { displayName } = details;
  if (kind === 'organizations') await putOrganization(serial, details);
  else await rollcall.call('putTag', { path: { serial }, body: { displayName } });
  await queryClient.invalidateQueries({ queryKey: directoriesKey });
}

/** If it fails halfway, it can be repeated. */
export async function moveOrganizations(
  organizations: readonly Entry[],
  parentSerial: string | null,
): Promise<void> {
  for (const { serial, displayName } of organizations) {
    await putOrganization(serial, { displayName, parentSerial });
  }
}

async function putOrganization(serial: string, body: EntryDetails): Promise<void> {
  await rollcall.call('putOrganization', { path: { serial }, body });
}

export async function deleteEntry(kind: DirectoryKind, serial: string): Promise<void> {
  const path = { serial };
  if (kind === 'organizations') await rollcall.call('deleteOrganization', { path });
  else await rollcall.call('deleteTag', { path });
  await queryClient.invalidateQueries({ queryKey: directoriesKey });
}

export function renameCall(kind: DirectoryKind, serial: string, newSerial: string): MatchingCall {
  const body = { serial, newSerial };
  return async ({ signal, ...query }) =>
    matchingResult(
      kind === 'organizations'
        ? await rollcall.call('renameOrganization', { query, body, signal })
        : await rollcall.call('renameTag', { query, body, signal }),
    );
}

export function mergeCall(kind: DirectoryKind, serial: string, into: string): MatchingCall {
  const body = { serial, into };
  return async ({ signal, ...query }) =>
    matchingResult(
      kind === 'organizations'
        ? await rollcall.call('mergeOrganization', { query, body, signal })
        : await rollcall.call('mergeTag', { query, body, signal }),
    );
}
