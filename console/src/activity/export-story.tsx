import { Button } from '@mantine/core';
import { type CsvCell, toCsv } from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { callTitle } from '../components/calls.js';
import { download } from '../components/download.js';
import { formatValue, isEmpty } from '../components/field-value.js';
import { notify } from '../components/notify.js';
import { ActionProblem } from '../components/problem.js';
import { employeeIDsToRead, namesIn } from '../components/reported-user.js';
import { activityCopy, commonCopy, changesCopy as copy } from '../copy/copy.js';
import { csvSeparator, formatDateTime, formatNumber } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import {
  type ActivityFilters,
  activityQuery,
  type Change,
  changesQuery,
  changeText,
  countsText,
  type DirectoryEdit,
  nameOfEdit,
  reported,
  type StoryEntry,
} from './story.js';

/** Enough for a month of most companies, and read in seconds. */
const rowsMax = 5_000;
const pageLimit = 200;

/** Downloads what the filters show: a row for each change of a field, or for each bulk change. */
export function ExportStory({ filters }: { filters: ActivityFilters }) {
  const seesChanges = usePermission('audit:read');
  const reading = useMutation({
    mutationFn: async () => {
      const rows = await rowsOf(filters, seesChanges);
      const isCut = rows.length >= rowsMax;
      const heading = seesChanges ? copy.export.columns : copy.export.entryColumns;
      const text = toCsv([heading, ...rows], { bom: true, allTexts: true, separator: csvSeparator });
      download(copy.export.fileName, text);
      notify(isCut ? copy.export.cut(formatNumber(rows.length)) : copy.export.done(rows.length));
    },
  });
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        title={copy.export.limit(formatNumber(rowsMax))}
        loading={reading.isPending}
        onClick={() => reading.mutate()}
      >
        {copy.export.open}
      </Button>
      <ActionProblem title={copy.export.failed} error={reading.error} />
    </div>
  );
}

type Row = readonly CsvCell[];
/** A change of a user, with the title of its call, or an edit of the directory. */
type Found = readonly [change: Change, title: string] | StoryEntry;

async function rowsOf(filters: ActivityFilters, seesChanges: boolean): Promise<Row[]> {
  const query = { ...activityQuery(filters, seesChanges), limit: pageLimit };
  const entries: StoryEntry[] = [];
  const found: Found[] = [];
  for await (const { items } of rollcall.pages('listActivity', { query })) {
    if (!seesChanges) entries.push(...items);
    else for (const entry of items) await addChanges(found, entry, filters);
    if (entries.length + found.length >= rowsMax) break;
  }
  return (seesChanges ? await foundRows(found) : entries.map(entryRow)).slice(0, rowsMax);
}

function entryRow({ at, calls, decision, edit, actor, counts }: StoryEntry): Row {
  if (edit) return [formatDateTime(at), editText(edit), '', 0];
  if (decision) {
    const { kind, callKind } = decision;
    const title = callTitle({ ...decision, kind: callKind, actor: null });
    return [formatDateTime(at), title, copy.decision[kind], 0];
  }
  const title = calls === null ? '' : callTitle({ ...calls, actor });
  return [formatDateTime(at), title, countsText(counts), counts.failed];
}

function editText(edit: DirectoryEdit): string {
  return copy.edit[edit.directory][edit.kind](nameOfEdit(edit));
}

async function addChanges(found: Found[], entry: StoryEntry, filters: ActivityFilters): Promise<void> {
  const { change, calls, edit, actor } = entry;
  const title = calls === null ? '' : callTitle({ ...calls, actor });
  if (edit) found.push(entry);
  if (change) found.push([change, title]);
  for (const callId of calls?.ids ?? []) {
    const query = { ...changesQuery(filters), callId, limit: pageLimit };
    for await (const { items } of rollcall.pages('listChanges', { query })) {
      found.push(...items.map((each) => [each, title] as const));
      if (found.length >= rowsMax) return;
    }
  }
}

async function foundRows(found: readonly Found[]): Promise<Row[]> {
  const shown = found.slice(0, rowsMax);
  const users = shown.flatMap((each) => (isChange(each) ? [reported(each[0])] : []));
  const named = [];
  for (const employeeIDs of employeeIDsToRead(users, lookupsAtOnce)) {
    named.push(...(await rollcall.call('lookupUsers', { body: { employeeIDs } })).body.data.items);
  }
  const nameOf = namesIn(named);
  const madeBy = await authorNames(shown.map((each) => (isChange(each) ? each[0].actor : each.actor)));
  return shown.flatMap((each) => {
    if (!isChange(each)) return editRows(each, madeBy(each.actor));
    const [change, title] = each;
    const { at, employeeID, fields, actor } = change;
    return Object.entries(fields).map(([field, sides]) => [
      ...[formatDateTime(at), title, nameOf(reported(change)) ?? '', employeeID],
      ...[changeText(change), fieldName(field), cellOf(sides?.before), cellOf(sides?.after)],
      madeBy(actor),
    ]);
  });
}

function isChange(found: Found): found is readonly [Change, string] {
  return Array.isArray(found);
}

function editRows({ at, edit }: StoryEntry, madeBy: string): Row[] {
  if (!edit) return [];
  const { displayName, parentSerial } = edit.fields;
  const row = (field: string, change?: { before: string | null; after: string | null }): Row => [
    ...[formatDateTime(at), '', nameOfEdit(edit), edit.serial, editText(edit)],
    ...[field, change?.before ?? '', change?.after ?? '', madeBy],
  ];
  const rows = [
    ...(displayName ? [row(copy.edit.fields.displayName, displayName)] : []),
    ...(parentSerial ? [row(copy.edit.fields.parentSerial, parentSerial)] : []),
  ];
  return rows.length > 0 ? rows : [row('')];
}

type Author = StoryEntry['actor'];

/** Few people and programs make many changes. Those whose names can't be read are called by their IDs. */
async function authorNames(authors: readonly Author[]): Promise<(author: Author) => string> {
  const distinct = new Map(authors.flatMap((author) => (author ? [[author.id, author] as const] : [])));
  const names = new Map<string, string>();
  for (const author of distinct.values()) {
    names.set(author.id, await authorName(author).catch(() => author.id));
  }
  return (author) => (author ? (names.get(author.id) ?? author.id) : activityCopy.actors.service);
}

async function authorName({ kind, id }: NonNullable<Author>): Promise<string> {
  if (kind === 'person') return (await rollcall.call('getUser', { path: { serial: id } })).body.data.name;
  if (kind === 'client') return (await rollcall.call('getClient', { path: { id } })).body.data.name;
  if (kind === 'feed') return (await rollcall.call('getFeed', { path: { key: id } })).body.data.name;
  return id;
}

const lookupsAtOnce = 1_000;

function fieldName(field: string): string {
  return (commonCopy.fields as Readonly<Record<string, string>>)[field] ?? field;
}

function cellOf(value: unknown): string {
  if (isEmpty(value)) return '';
  const isNested = typeof value === 'object' && !Array.isArray(value);
  return isNested ? JSON.stringify(value) : formatValue(value);
}
