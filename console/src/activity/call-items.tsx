import { Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { errorFrom, type Schemas } from '@rollcall/client';
import { type CsvCell, toCsv } from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFieldTexts } from '../components/attributes.js';
import { changedFields } from '../components/changed-fields.js';
import { download } from '../components/download.js';
import { errorMessage } from '../components/error-message.js';
import { FieldChanges } from '../components/field-changes.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { ActionProblem } from '../components/problem.js';
import type { UserNames } from '../components/reported-user.js';
import { UserCell, useUserNames } from '../components/user-cell.js';
import { commonCopy, plannedCopy } from '../copy/copy.js';
import { csvSeparator, formatNumber } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { type Call, effectText, hasRun, isWaiting } from './call.js';

type Item = Schemas['CallItem'];
type Step = 'ran' | 'waiting' | 'stopped';

const copy = plannedCopy.items;

/** What became of the items, or what the preview of a planned call showed. */
export function CallItems({ call }: { call: Call }) {
  const step: Step = hasRun(call) ? 'ran' : isWaiting(call) ? 'waiting' : 'stopped';
  const [show, setShow] = useState<'all' | 'failed'>(call.failed > 0 ? 'failed' : 'all');
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {copy.title[step]}
        </Title>
        <Group gap="xs">
          {(step !== 'ran' || call.failed > 0) && (
            <SegmentedControl
              transitionDuration={0}
              size="xs"
              aria-label={copy.show}
              data={[
                { value: 'all', label: copy.filters.all },
                { value: 'failed', label: copy.filters.failed[step] },
              ]}
              value={show}
              onChange={(value) => setShow(value === 'failed' ? 'failed' : 'all')}
            />
          )}
          {call.failed > 0 && <DownloadFailures call={call} />}
        </Group>
      </Group>
      <ItemsTable key={`${step} ${show}`} call={call} step={step} show={show} />
    </section>
  );
}

function ItemsTable({ call, step, show }: { call: Call; step: Step; show: 'all' | 'failed' }) {
  const { id, succeeded, failed } = call;
  const outcome = show === 'failed' ? show : undefined;
  const list = usePagedList<Item>({
    key: ['activity', 'items', id, step, show, succeeded, failed],
    load: async (page, signal) =>
      (await rollcall.call('listCallItems', { path: { id }, query: { outcome, ...page }, signal })).body.data,
  });
  const nameOf = useUserNames(list.items.map(userOf));
  const { nameOf: nameOfField } = useFieldTexts();
  return (
    <ListTable
      label={copy.table[step]}
      columns={columnsWith(nameOf, nameOfField, { step, call })}
      list={list}
      keyOf={({ position }) => position}
      minWidth={350}
      empty={<Text size="sm">{show === 'failed' ? copy.noFailures : copy.none}</Text>}
    />
  );
}

function userOf({ employeeID, serial, effect }: Item) {
  return {
    employeeID: employeeID ?? '',
    ...(serial == null ? {} : { serial }),
    ...(effect ? { fields: effect.fields } : {}),
  };
}

/**
 * Programs number their items. Rows of a file have another number there, which is not known here, and users who were
 * selected have none.
 */
function columnsWith(
  nameOf: UserNames,
  nameOfField: (field: string) => string,
  { step, call }: { readonly step: Step; readonly call: Call },
): readonly Column<Item>[] {
  const position: Column<Item> = {
    header: copy.position,
    isNumber: true,
    cell: ({ position }) => formatNumber(position + 1),
  };
  return [
    ...(call.source === null && call.kind !== 'update-matching' ? [position] : []),
    {
      header: commonCopy.user,
      cell: (item) => (
        <UserCell
          employeeID={item.employeeID ?? commonCopy.none}
          name={nameOf(userOf(item))}
          href={item.serial == null ? undefined : `/users/${item.serial}`}
        />
      ),
    },
    { header: copy.outcome, cell: (item) => outcomeText(item, step, nameOfField) },
    { header: copy.what[step], cell: (item) => <What item={item} step={step} /> },
  ];
}

function outcomeText({ outcome, effect }: Item, step: Step, nameOf: (field: string) => string): string {
  if (step === 'ran') return effect ? effectText(effect, nameOf) : copy[outcome];
  const texts = step === 'waiting' ? copy.preview : copy.wouldHave;
  if (outcome === 'failed') return texts.failed;
  const isActive = effect?.kind === 'updated' ? effect.fields.isActive?.after : undefined;
  if (isActive !== undefined) return texts[isActive === true ? 'reactivated' : 'deactivated'];
  return texts[effect?.kind ?? 'updated'];
}

function What({ item: { error, effect, employeeID }, step }: { item: Item; step: Step }) {
  if (error) return errorMessage(errorFrom(error));
  if (!effect || changedFields(effect.fields).length === 0) return null;
  const changes = <FieldChanges fields={effect.fields} kind={effect.kind} />;
  return step !== 'ran' ? changes : <OnDemand of={employeeID ?? ''}>{changes}</OnDemand>;
}

/** The outcome says enough for most rows. */
function OnDemand({ of, children }: { of: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? copy.hideDetails : copy.showDetails} ${of}`.trim()}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? copy.hideDetails : copy.showDetails}
      </Button>
      {isOpen && children}
    </>
  );
}

function DownloadFailures({ call: { id, failed } }: { call: Call }) {
  const [read, setRead] = useState(0);
  const reading = useMutation({
    mutationFn: async () => download(copy.downloadName(id), await failuresOf(id, setRead)),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={reading.isPending}
        onClick={() => {
          setRead(0);
          reading.mutate();
        }}
      >
        {reading.isPending && failed > 1_000 ? copy.downloading(read) : copy.download}
      </Button>
      <ActionProblem title={copy.cannotDownload} error={reading.error} />
    </>
  );
}

const pageLimit = 200;

/** Every item of a call that failed, as a file for a spreadsheet. */
async function failuresOf(id: string, onRead: (count: number) => void): Promise<string> {
  const rows: (readonly CsvCell[])[] = [plannedCopy.items.columns];
  const query = { outcome: 'failed', limit: pageLimit } as const;
  for await (const { items } of rollcall.pages('listCallItems', { path: { id }, query })) {
    for (const { position, employeeID, error } of items) {
      const reason = error && errorMessage(errorFrom(error));
      rows.push([position + 1, employeeID, error?.message, reason]);
    }
    onRead(rows.length - 1);
  }
  return toCsv(rows, { bom: true, allTexts: true, separator: csvSeparator });
}
