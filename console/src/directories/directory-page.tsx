import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { focusPage } from '../components/dialog.js';
import {
  type DirectoryKind,
  directoriesKey,
  type Entry,
  listEntries,
  useDisplayNames,
} from '../components/directory.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { useFilters } from '../components/filters.js';
import { PageTitle } from '../components/page-title.js';
import { ListTable, usePagedList } from '../components/paged-list.js';
import { SearchBox } from '../components/search-box.js';
import { commonCopy, directoriesCopy as copy } from '../copy/copy.js';
import { usePermission } from '../session/session.js';
import type { EntryAction } from './entry-action.js';
import { entryColumns } from './entry-columns.js';
import { EntryDialog } from './entry-dialog.js';

/** Below this width, the table has fewer columns. */
const narrowWidth = '(max-width: 48em)';

/** The organizations or the tags. */
export function DirectoryPage({ kind }: { kind: DirectoryKind }) {
  const { get, set } = useFilters();
  const [action, setAction] = useState<EntryAction>();
  const mayWrite = usePermission('users:write');
  const isNarrow = useMediaQuery(narrowWidth, undefined, { getInitialValueInEffect: false });
  const search = get('search')?.trim() ?? '';
  const list = usePagedList<Entry>({
    key: [...directoriesKey, kind, 'list', search],
    load: (page, signal) => listEntries(kind, { search: search || undefined, ...page }, signal),
  });
  const parents = list.items.flatMap(({ parentSerial }) => parentSerial ?? []);
  const parentNames = useDisplayNames('organizations', parents);
  const isEmpty = search === '' && list.items.length === 0 && !list.isLoading && list.error === undefined;
  const addButton = mayWrite && (
    <Button onClick={() => setAction({ verb: 'add' })}>{copy.add.action(kind)}</Button>
  );
  return (
    <>
      <PageTitle title={copy.title[kind]}>{!isEmpty && addButton}</PageTitle>
      <SearchBox
        value={search}
        placeholder={copy.searchHint}
        onSearch={(text) => set({ search: text.trim() })}
        maw={420}
        mb="md"
      />
      <ListTable
        label={copy.title[kind]}
        columns={entryColumns({ kind, isNarrow, parentNames, onAction: mayWrite ? setAction : undefined })}
        list={list}
        keyOf={({ serial }) => serial}
        minWidth={isNarrow ? 0 : 640}
        empty={
          search === '' ? (
            <EmptyState title={copy.empty(kind)} hint={copy.emptyHint[kind]}>
              {addButton}
            </EmptyState>
          ) : (
            <NoMatches
              clear={commonCopy.clearSearch}
              onClear={() => {
                focusPage();
                set({ search: null });
              }}
            />
          )
        }
      />
      {action && (
        <EntryDialog kind={kind} action={action} onAction={setAction} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}
