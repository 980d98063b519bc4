import { isRollcallError, limits, type Query, type Schemas } from '@rollcall/client';
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { rollcall } from '../session/api.js';

export type DirectoryKind = 'organizations' | 'tags';
/** What fields refer to. Users are known by their employee ID. */
export type ReferenceKind = DirectoryKind | 'users';

/** An organization or a tag. */
export type Entry = Schemas['Tag'] &
  Partial<Pick<Schemas['Organization'], 'parentSerial' | 'hasParts' | 'usersWithParts' | 'parents'>>;

/** With the name as display name, and the employee ID as serial if it is a user. */
export type Reference = Pick<Entry, 'serial' | 'displayName'> & Partial<Pick<Entry, 'users'>>;

/** Display names by serial. Entries without one are missing. */
export type DisplayNames = ReadonlyMap<string, string>;

/** The key of everything that is read from the directories. */
export const directoriesKey = ['directories'] as const;

/** Names rarely change, and lists repeat them. */
const namesStaleMs = 5 * 60_000;
const suggestionsMax = 20;

interface EntryPage {
  readonly items: readonly Entry[];
  readonly nextCursor: string | null;
}

export async function listEntries(
  kind: DirectoryKind,
  query: Query<'listTags'>,
  signal: AbortSignal,
): Promise<EntryPage> {
  if (kind === 'organizations') return listOrganizations(query, signal);
  return (await rollcall.call('listTags', { query, signal })).body.data;
}

export async function listOrganizations(
  query: Query<'listOrganizations'>,
  signal: AbortSignal,
): Promise<EntryPage> {
  return (await rollcall.call('listOrganizations', { query, signal })).body.data;
}

/** Undefined if the directory has no such entry. */
export async function findEntry(
  kind: DirectoryKind,
  serial: string,
  signal?: AbortSignal,
): Promise<Entry | undefined> {
  const options = { path: { serial }, ...(signal && { signal }) };
  try {
    const { body } =
      kind === 'organizations'
        ? await rollcall.call('getOrganization', options)
        : await rollcall.call('getTag', options);
    return body.data;
  } catch (error) {
    if (isRollcallError(error, 'DIRECTORY_ENTRY_NOT_FOUND')) return undefined;
    throw error;
  }
}

/** The names of a small directory, or of the beginning of a large one. Users are always many. */
function namesQuery(kind: ReferenceKind) {
  return queryOptions({
    queryKey: [...directoriesKey, kind, 'names'],
    queryFn: async ({ signal }) => {
      const { items, nextCursor } =
        kind === 'users'
          ? { items: [], nextCursor: '' }
          : await listEntries(kind, { limit: limits.pageLimitMax }, signal);
      return {
        serials: new Set(items.map(({ serial }) => serial)),
        names: items.flatMap(({ serial, displayName }) =>
          displayName === null ? [] : [{ serial, displayName }],
        ),
        isWhole: nextCursor === null,
      };
    },
    staleTime: namesStaleMs,
  });
}

function nameQuery(kind: ReferenceKind, serial: string) {
  return queryOptions({
    queryKey: [...directoriesKey, kind, 'name', serial],
    queryFn: async ({ signal }) => {
      const find = kind === 'users' ? findUser(serial, signal) : findEntry(kind, serial, signal);
      const entry = await find;
      return { serial, displayName: entry?.displayName ?? null };
    },
    staleTime: namesStaleMs,
  });
}

async function findUser(employeeID: string, signal: AbortSignal): Promise<Reference | undefined> {
  const body = { employeeIDs: [employeeID] };
  const [user] = (await rollcall.call('lookupUsers', { body, signal })).body.data.items;
  return user && { serial: employeeID, displayName: user.name };
}

interface Lookup {
  readonly data: { readonly serial: string; readonly displayName: string | null } | undefined;
}

const found = (lookups: readonly Lookup[]) =>
  lookups.flatMap(({ data }) =>
    data && data.displayName !== null ? [[data.serial, data.displayName] as const] : [],
  );

/** Reads a small directory once, and looks up single entries of a large one. Empty until then. */
export function useDisplayNames(kind: ReferenceKind, serials: readonly string[]): DisplayNames {
  const { data: known } = useQuery({ ...namesQuery(kind), enabled: serials.length > 0 });
  const unknown =
    known && !known.isWhole ? [...new Set(serials)].filter((serial) => !known.serials.has(serial)) : [];
  const single = useQueries({ queries: unknown.map((serial) => nameQuery(kind, serial)), combine: found });
  return useMemo(
    () =>
      new Map([...(known?.names ?? []).map((each) => [each.serial, each.displayName] as const), ...single]),
    [known, single],
  );
}

/** Whether one of the organizations has parts. False until it is known. */
export function useHasParts(serials: readonly string[]): boolean {
  return useQueries({
    queries: serials.map((serial) => ({
      queryKey: [...directoriesKey, 'organizations', 'has-parts', serial],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await findEntry('organizations', serial, signal))?.hasParts ?? false,
    })),
    combine: (found) => found.some(({ data }) => data === true),
  });
}

interface SuggestionOptions {
  readonly isWanted?: boolean;
  /** Of users. */
  readonly includesInactive?: boolean;
}

/** Entries whose name or serial contains the text. Keeps the previous ones while others are loading. */
export function useSuggestions(
  kind: ReferenceKind,
  text: string,
  options: SuggestionOptions = {},
): readonly Reference[] {
  return useCurrentSuggestions(kind, text, options).entries;
}

interface CurrentSuggestions {
  readonly entries: readonly Reference[];
  /** Whether they are for this text, or can't be loaded. */
  readonly isCurrent: boolean;
}

/** The same, for those who have to know whether they are the previous ones. */
export function useCurrentSuggestions(
  kind: ReferenceKind,
  text: string,
  { isWanted = true, includesInactive = false }: SuggestionOptions = {},
): CurrentSuggestions {
  const search = text.trim() || undefined;
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: [...directoriesKey, kind, 'suggestions', search ?? null, includesInactive],
    queryFn: async ({ signal }): Promise<readonly Reference[]> => {
      const query = { search, limit: suggestionsMax };
      if (kind !== 'users') return (await listEntries(kind, query, signal)).items;
      const active = includesInactive ? {} : { isActive: true };
      return findUsers({ ...query, ...active, sort: 'name', exactFirst: true }, signal);
    },
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });
  return { entries: data ?? none, isCurrent: !isPlaceholderData && !isPending };
}

const none: readonly Reference[] = [];

async function findUsers(query: Query<'listUsers'>, signal: AbortSignal): Promise<readonly Reference[]> {
  const { items } = (await rollcall.call('listUsers', { query, signal })).body.data;
  return items.map(({ employeeID, name }) => ({ serial: employeeID, displayName: name }));
}
