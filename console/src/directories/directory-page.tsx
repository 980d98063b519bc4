import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import {
  type DirectoryKind,
  directoriesKey,
  type Entry,
  listEntries,
  listOrganizations,
} from '../components/directory.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { useFilters } from '../components/filters.js';
import { focusPage } from '../components/focus-page.js';
import { PageTitle } from '../components/page-title.js';
import { ListTable, type PageRequest, usePagedList } from '../components/paged-list.js';
import { SearchBox } from '../components/search-box.js';
import { commonCopy } from '../copy/copy.js';
import { directoriesCopy as copy } from '../copy/on-demand-copy.js';
import { usePermission } from '../session/session.js';
import type { EntryAction } from './entry-action.js';
import { entryColumns } from './entry-columns.js';
import { EntryDialog } from './entry-dialog.js';
import { useOpenOrganizations } from './open-organizations.js';
import { listLevel, OrganizationTree } from './organization-tree.js';

/** Below this width, the table has fewer columns. */
const narrowWidth = '(max-width: 48em)';

/** The organizations at the top, from which the others unfold, or all tags. Matches are a list with their parents. */
function loadEntries(kind: DirectoryKind, search: string, page: PageRequest, signal: AbortSignal) {
  const query = { search: search || undefined, sort: 'name', ...page } as const;
  if (kind === 'tags') return listEntries(kind, query, signal);
  return search === ''
    ? listLevel({ isTopLevel: true }, page, signal)
    : listOrganizations({ ...query, includeParts: true, includeParents: true }, signal);
}

/** The organizations or the tags. */
export function DirectoryPage({ kind }: { kind: DirectoryKind }) {
  const { get, set } = useFilters();
  const [action, setAction] = useState<EntryAction>();
  const mayWrite = usePermission('users:write');
  const isNarrow = useMediaQuery(narrowWidth, undefined, { getInitialValueInEffect: false });
  const search = get('search')?.trim() ?? '';
  const list = usePagedList<Entry>({
    key: [...directoriesKey, kind, 'list', search],
    load: (page, signal) => loadEntries(kind, search, page, signal),
  });
  const hasParts = list.items.some((entry) => entry.hasParts);
  const open = useOpenOrganizations();
  const columns = useMemo(
    () => entryColumns({ kind, isNarrow, hasParts, onAction: mayWrite ? setAction : undefined }),
    [kind, isNarrow, hasParts, mayWrite],
  );
  const minWidth = isNarrow ? 0 : 640;
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
      {hasParts && search === '' ? (
        <OrganizationTree list={list} columns={columns} minWidth={minWidth} open={open} />
      ) : (
        <ListTable
          label={copy.title[kind]}
          columns={columns}
          list={list}
          keyOf={({ serial }) => serial}
          minWidth={minWidth}
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
      )}
      {action && (
        <EntryDialog
          kind={kind}
          action={action}
          onAction={setAction}
          onNested={open.open}
          onRenamed={open.rename}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  );
}
