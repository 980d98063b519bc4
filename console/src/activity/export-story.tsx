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
  countsText,
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
type FoundChange = readonly [change: Change, madeBy: string];

async function rowsOf(filters: ActivityFilters, seesChanges: boolean): Promise<Row[]> {
  const query = { ...activityQuery(filters, seesChanges), limit: pageLimit };
  const entries: Row[] = [];
  const changes: FoundChange[] = [];
  for await (const { items } of rollcall.pages('listActivity', { query })) {
    if (!seesChanges) entries.push(...items.map(entryRow));
    else for (const entry of items) await addChanges(changes, entry, filters);
    if (entries.length + changes.length >= rowsMax) break;
  }
  return (seesChanges ? await changeRows(changes) : entries).slice(0, rowsMax);
}

function entryRow({ at, calls, decision, actor, counts }: StoryEntry): Row {
  if (decision) {
    const { kind, callKind } = decision;
    const title = callTitle({ ...decision, kind: callKind, actor: null });
    return [formatDateTime(at), title, copy.decision[kind], 0];
  }
  const title = calls === null ? '' : callTitle({ ...calls, actor });
  return [formatDateTime(at), title, countsText(counts), counts.failed];
}

async function addChanges(found: FoundChange[], entry: StoryEntry, filters: ActivityFilters): Promise<void> {
  const { change, calls, actor } = entry;
  const title = calls === null ? '' : callTitle({ ...calls, actor });
  if (change) found.push([change, title]);
  for (const callId of calls?.ids ?? []) {
    const query = { ...changesQuery(filters), callId, limit: pageLimit };
    for await (const { items } of rollcall.pages('listChanges', { query })) {
      found.push(...items.map((each) => [each, title] as const));
      if (found.length >= rowsMax) return;
    }
  }
}

async function changeRows(found: readonly FoundChange[]): Promise<Row[]> {
  const users = found.slice(0, rowsMax).map(([change]) => reported(change));
  const named = [];
  for (const employeeIDs of employeeIDsToRead(users, lookupsAtOnce)) {
    named.push(...(await rollcall.call('lookupUsers', { body: { employeeIDs } })).body.data.items);
  }
  const nameOf = namesIn(named);
  return found.flatMap(([change, title]) => {
    const { at, kind, employeeID, fields, actor } = change;
    return Object.entries(fields).map(([field, sides]) => [
      ...[formatDateTime(at), title, nameOf(reported(change)) ?? '', employeeID],
      ...[commonCopy.changeKinds[kind], fieldName(field), cellOf(sides?.before), cellOf(sides?.after)],
      actor === null ? activityCopy.actors.service : actor.id,
    ]);
  });
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
