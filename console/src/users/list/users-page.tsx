import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation, useSearch } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { texts } from '../../copy/index.js';
import { useMay } from '../../session/session.js';
import { Filters } from './filters.js';
import { pageRows, rowsInSight, rowsLoaded } from './page-chain.js';
import { placeLeft } from './scroll-memory.js';
import { type People, usePeople } from './use-users.js';
import css from './users.module.css';
import { PeopleTable } from './users-table.js';
import { PeopleTableLoading } from './users-table-loading.js';
import { isNarrowed, type PeopleView, queryOf, readView, withoutFilters, writeView } from './users-view.js';

/** Below this a table has no room, and each row tells about the person in two lines. */
const narrowWidth = '(max-width: 48em)';

export function PeoplePage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const isNarrow = useMediaQuery(narrowWidth, undefined, { getInitialValueInEffect: false });
  const mayWrite = useMay('users:write');
  const view = readView(search);
  const query = queryOf(view);
  const people = usePeople(query, placeLeft(JSON.stringify(query))?.chain);
  const show = (next: PeopleView) => {
    const parts = writeView(next);
    navigate(parts === '' ? '/people' : `/people?${parts}`, { replace: true });
  };
  return (
    <div className={css.page}>
      <PageTitle title={texts.common.people}>
        {mayWrite && (
          <Button component={Link} href="/people/new">
            {texts.people.create}
          </Button>
        )}
      </PageTitle>
      <Filters view={view} onChange={show} isNarrow={isNarrow} />
      {people.error !== undefined && (
        <Problem title={texts.people.notLoaded} error={people.error} onRetry={people.retry} />
      )}
      <Listed people={people} view={view} isNarrow={isNarrow} onChange={show} canCreate={mayWrite} />
    </div>
  );
}

interface ListedProps {
  readonly people: People;
  readonly view: PeopleView;
  readonly isNarrow: boolean;
  readonly canCreate: boolean;
  readonly onChange: (view: PeopleView) => void;
}

function Listed({ people, view, isNarrow, canCreate, onChange }: ListedProps) {
  if (people.isFirstLoad) return <PeopleTableLoading />;
  if (people.error !== undefined && rowsLoaded(people.chain) === 0) return null;
  const isEmpty = rowsInSight(people.chain) === 0;
  return (
    <>
      <Count people={people} />
      {isEmpty ? (
        <Nobody view={view} onChange={onChange} canCreate={canCreate} />
      ) : (
        <PeopleTable people={people} view={view} isNarrow={isNarrow} onChange={onChange} />
      )}
    </>
  );
}

function Count({ people }: { people: People }) {
  const isWhole = people.chain.lastPageRows !== undefined;
  const loaded = rowsLoaded(people.chain);
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {isWhole ? texts.people.all(loaded) : texts.people.loaded(loaded)}
      </Text>
      {/* Told again for another list only, not for every page that a scroll brings. */}
      <VisuallyHidden role="status" key={people.key}>
        {people.isReplacing ? texts.common.loading : texts.people.found(isWhole, Math.min(loaded, pageRows))}
      </VisuallyHidden>
    </>
  );
}

function Nobody({ view, onChange, canCreate }: Pick<ListedProps, 'view' | 'onChange' | 'canCreate'>) {
  if (isNarrowed(view)) {
    return (
      <EmptyState title={texts.people.nobodyFound} hint={texts.people.nobodyFoundHint}>
        <Button variant="default" onClick={() => onChange({ ...view, ...withoutFilters })}>
          {texts.people.clearFilters}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={texts.people.nobodyYet}
      hint={canCreate ? texts.people.nobodyYetHint : texts.people.nobodyYetHintReader}
    />
  );
}
