import { Button, Group, Select, Text, Title } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { type CsvCell, toCsv } from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { parseChoice } from '../components/choices.js';
import { TechnicalDetails } from '../components/disclosure.js';
import { download } from '../components/download.js';
import { EmptyState } from '../components/empty-state.js';
import type { Run } from '../components/feeds.js';
import { useFilters } from '../components/filters.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { ActionProblem } from '../components/problem.js';
import type { UserNames } from '../components/reported-user.js';
import { UserCell, useUserNames } from '../components/user-cell.js';
import { commonCopy } from '../copy/copy.js';
import { csvSeparator, formatList, formatNumber } from '../copy/format.js';
import { language } from '../copy/language.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { isUnderWay, tense } from './feed.js';
import { fieldName, rowProblem } from './problem-text.js';
import { type RowKind, rowKinds } from './run-counts.js';

type Row = Schemas['FeedRow'];

const copy = feedsCopy.rows;
const refetchMs = 3_000;

/** What became of each row that did something or failed. */
export function RunRows({ run }: { run: Run }) {
  const { get, set } = useFilters();
  const kind = parseChoice(run.counts, get('kind'));
  const path = { key: run.feed, run: run.id };
  const list = usePagedList<Row>({
    key: ['feeds', 'rows', run.id, kind],
    load: async (page, signal) =>
      (await rollcall.call('listFeedRows', { path, query: { kind, ...page }, signal })).body.data,
    refetchMs: () => isUnderWay(run) && refetchMs,
  });
  const nameOf = useUserNames(list.items.filter(isKnown).map(userOf));
  // Rows that changed nothing are not recorded.
  const kinds = rowKinds.filter((each) => each !== 'unchanged' && run.counts[each] > 0);
  return (
    <section>
      <Title order={2} size="h4">
        {copy.title}
      </Title>
      {run.counts.unchanged > 0 && (
        <Text size="sm" c="dimmed">
          {copy.unchanged(run.counts.unchanged)}
        </Text>
      )}
      {kinds.length > 0 && (
        <Group my="md" align="flex-end" justify="space-between">
          <Select
            label={copy.filter}
            placeholder={copy.all}
            data={kinds.map((value) => ({
              value,
              label: `${feedsCopy.counts[value]} (${formatNumber(run.counts[value])})`,
            }))}
            value={kind ?? null}
            onChange={(value) => set({ kind: value })}
            clearable
            w={240}
          />
          <DownloadRows run={run} kind={kind} />
        </Group>
      )}
      <ListTable
        label={copy.table}
        columns={columnsWith(nameOf)}
        list={list}
        keyOf={({ row, serial, employeeID }) => row ?? serial ?? employeeID ?? ''}
        minWidth={520}
        empty={
          <EmptyState title={copy.empty} {...(!isUnderWay(run) && { hint: copy.emptyHint[tense(run)] })} />
        }
      />
    </section>
  );
}

/** Not somebody who would be created: nobody has the employee ID yet. */
function isKnown({ serial, kind }: Row): boolean {
  return serial !== null || kind !== 'created';
}

function userOf({ employeeID, serial }: Row) {
  return { employeeID: employeeID ?? '', ...(serial === null ? {} : { serial }) };
}

function columnsWith(nameOf: UserNames): readonly Column<Row>[] {
  return [
    {
      header: copy.row,
      isNumber: true,
      cell: ({ row }) => (row === null ? commonCopy.none : formatNumber(row)),
    },
    {
      header: commonCopy.user,
      cell: (row) => (
        <UserCell
          employeeID={row.employeeID ?? commonCopy.none}
          name={nameOf(userOf(row))}
          href={row.serial === null ? undefined : `/users/${row.serial}`}
        />
      ),
    },
    { header: copy.outcome, cell: ({ kind }) => feedsCopy.counts[kind] },
    { header: copy.what, cell: (row) => <What row={row} /> },
  ];
}

function What({ row: { row, kind, changed, kept, problem } }: { row: Row }) {
  const told = problem === null ? [] : rowProblem(problem);
  // The outcome says it already.
  const others = kind === 'deactivated' || kind === 'reactivated' ? changed.filter(isOther) : changed;
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {row === null && <div>{copy.missing}</div>}
      {others.length > 0 && <div>{copy.changed(namesOf(others))}</div>}
      {kept.length > 0 && <div>{copy.kept(namesOf(kept))}</div>}
      {told.map(({ text, isForeign }) =>
        isForeign ? (
          <ServiceText key={text} text={text} isAlone={told.length === 1} />
        ) : (
          <div key={text}>{text}</div>
        ),
      )}
    </div>
  );
}

/** The service writes English: for readers of another language, its details are only shown on request. */
function ServiceText({ text, isAlone }: { text: string; isAlone: boolean }) {
  const shown = (
    <Text size="xs" c="dimmed" lang="en">
      {text}
    </Text>
  );
  return language === 'en' || isAlone ? shown : <TechnicalDetails>{shown}</TechnicalDetails>;
}

function isOther(field: string): boolean {
  return field !== 'isActive';
}

function namesOf(fields: readonly string[]): string {
  return formatList(fields.map(fieldName));
}

function DownloadRows({ run, kind }: { run: Run; kind: RowKind | undefined }) {
  const [read, setRead] = useState(0);
  const reading = useMutation({
    mutationFn: async () => {
      setRead(0);
      download(copy.downloadName(run.feed, run.id), await rowsFile(run, kind, setRead));
    },
  });
  return (
    <div>
      <Button size="xs" variant="default" disabled={reading.isPending} onClick={() => reading.mutate()}>
        {reading.isPending && read > 0 ? copy.downloading(read) : copy.download}
      </Button>
      <ActionProblem title={copy.cannotDownload} error={reading.error} />
    </div>
  );
}

const pageLimit = 200;

/** Every row, or those with one outcome, as a file for a spreadsheet. */
async function rowsFile(
  { feed: key, id: run }: Run,
  kind: RowKind | undefined,
  onRead: (count: number) => void,
): Promise<string> {
  const lines: (readonly CsvCell[])[] = [copy.heads];
  const query = { kind, limit: pageLimit };
  for await (const { items } of rollcall.pages('listFeedRows', { path: { key, run }, query })) {
    for (const { row, employeeID, kind, changed, problem } of items) {
      const reason =
        problem &&
        rowProblem(problem)
          .map(({ text }) => text)
          .join(' ');
      const fields = changed.map(fieldName).join(', ');
      lines.push([row ?? copy.missing, employeeID, feedsCopy.counts[kind], fields, problem?.code, reason]);
    }
    onRead(lines.length - 1);
  }
  return toCsv(lines, { bom: true, allTexts: true, separator: csvSeparator });
}
