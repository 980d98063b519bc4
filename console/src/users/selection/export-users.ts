import { limits, type Query, resolveNames } from '@rollcall/client';
import type { DirectoryKind, DisplayNames } from '../../components/directory.js';
import { downloadBlob } from '../../components/download.js';
import { rollcall } from '../../session/api.js';
import type { ListedUser } from '../data/user.js';
import {
  cellsOf,
  type ExportColumn,
  type ExportFormat,
  type ExportNames,
  type ExportTable,
  encodeRows,
} from './export-rows.js';

const types: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv;charset=utf-8',
};

interface ExportRequest {
  readonly source: ExportSource;
  readonly table: ExportTable;
  readonly format: ExportFormat;
  readonly isByName: boolean;
  readonly fileName: string;
  readonly onRead: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Reads the users, and saves them as a file. Returns how many there were. */
export async function exportUsers(request: ExportRequest): Promise<number> {
  const { source, table, format, isByName, fileName, onRead, signal } = request;
  const names = isByName ? await readNames(table.columns, signal) : noNames;
  let count = 0;
  async function* rows() {
    for await (const users of readUsers(source, signal)) {
      for (const user of users) yield cellsOf(user, table.columns, names);
      count += users.length;
      onRead(count);
    }
  }
  const parts: BlobPart[] = [];
  for await (const part of encodeRows(rows(), format, table)) parts.push(part as BlobPart);
  signal.throwIfAborted();
  downloadBlob(fileName, new Blob(parts, { type: types[format] }));
  return count;
}

const noNames: ExportNames = { organizations: new Map(), tags: new Map() };

async function readNames(columns: readonly ExportColumn[], signal: AbortSignal): Promise<ExportNames> {
  return {
    organizations: columns.includes('organizationSerial')
      ? await namesOf('organizations', signal)
      : noNames.organizations,
    tags: columns.includes('tagSerials') ? await namesOf('tags', signal) : noNames.tags,
  };
}

/** Only names by which an import finds the same entry again. The others are written as serials. */
async function namesOf(kind: DirectoryKind, signal: AbortSignal): Promise<DisplayNames> {
  const operation = kind === 'organizations' ? 'listOrganizations' : 'listTags';
  const named: [serial: string, name: string][] = [];
  for await (const { serial, displayName } of rollcall.each(operation, { signal })) {
    if (displayName !== null) named.push([serial, displayName]);
  }
  const names = named.map(([, name]) => name);
  const { items } = await resolveNames(rollcall, kind, names, { signal });
  return new Map(named.filter(([serial], at) => items[at]?.entry?.serial === serial));
}

/** Which users to export: a list, or those who are selected. */
export type ExportSource =
  | { readonly query: Query<'listUsers'> }
  | { readonly serials: readonly string[]; readonly access?: true };

/** Page by page, in the order of the list, or in the order in which they were selected. */
async function* readUsers(source: ExportSource, signal: AbortSignal): AsyncGenerator<readonly ListedUser[]> {
  if ('query' in source) {
    const query = { ...source.query, limit: limits.pageLimitMax };
    for await (const { items } of rollcall.pages('listUsers', { query, signal })) yield items;
    return;
  }
  const { serials, access } = source;
  for (let start = 0; start < serials.length; start += limits.filterValuesMax) {
    const serial = serials.slice(start, start + limits.filterValuesMax);
    const query = { serial, limit: limits.pageLimitMax, ...(access && { access }) };
    const { body } = await rollcall.call('listUsers', { query, signal });
    yield inOrderOf(serial, body.data.items);
  }
}

function inOrderOf(serials: readonly string[], users: readonly ListedUser[]): ListedUser[] {
  const bySerial = new Map(users.map((user) => [user.serial, user]));
  return serials.flatMap((serial) => bySerial.get(serial) ?? []);
}
