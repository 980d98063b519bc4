import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { errorFrom, type Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { errorMessage } from '../components/error-message.js';
import { FieldChanges } from '../components/field-changes.js';
import { type PagedList, usePagedList } from '../components/paged-list.js';
import { Problem } from '../components/problem.js';
import { UserCell, useUserNames } from '../components/user-cell.js';
import { activityCopy, commonCopy, changesCopy as copy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import {
  type ActivityFilters,
  type Change,
  changesQuery,
  changeText,
  isByChange,
  reported,
  type StoryEntry,
} from './story.js';
import styles from './story.module.css';

interface StoryPeopleProps {
  readonly entry: StoryEntry;
  readonly calls: NonNullable<StoryEntry['calls']>;
  readonly filters: ActivityFilters;
  readonly showsIDs: boolean;
}

/** Whom an entry is about: first those for whom it failed, then those who were changed. */
export function StoryPeople({ entry, calls, filters, showsIDs }: StoryPeopleProps) {
  const seesChanges = usePermission('audit:read');
  const showsFailures = entry.counts.failed > 0 && !isByChange(filters);
  return (
    <div className={styles.people}>
      {showsFailures &&
        (entry.actor?.kind === 'feed' ? (
          <Anchor component={Link} href={`/feeds/${entry.actor.id}/runs/${entry.requestId}`} size="sm">
            {copy.failuresOfRun}
          </Anchor>
        ) : (
          <Items ids={calls.ids} outcome="failed" />
        ))}
      {seesChanges ? (
        <Changes ids={calls.ids} filters={filters} showsIDs={showsIDs} />
      ) : (
        <Items ids={calls.ids} outcome="succeeded" />
      )}
    </div>
  );
}

function Changes({
  ids,
  filters,
  showsIDs,
}: { readonly ids: readonly string[] } & Pick<StoryPeopleProps, 'filters' | 'showsIDs'>) {
  const byChange = changesQuery(filters);
  const list = useListOfCalls<Change>(
    ['activity', 'changes', 'of', byChange],
    ids,
    async (callId, page, signal) => {
      const query = { ...byChange, callId, ...page };
      return (await rollcall.call('listChanges', { query, signal })).body.data;
    },
  );
  const nameOf = useUserNames(list.items.map(reported));
  return (
    <PeopleList label={copy.people} list={list}>
      {list.items.map((change) => (
        <li key={change.sequence} className={styles.person}>
          <Person change={change} name={nameOf(reported(change))} showsIDs={showsIDs} />{' '}
          <Text span size="sm">
            {changeText(change)}
          </Text>
          <FieldChanges fields={change.fields} kind={change.kind} />
        </li>
      ))}
    </PeopleList>
  );
}

type Item = Schemas['CallItem'];

function Items({ ids, outcome }: { readonly ids: readonly string[]; readonly outcome: Item['outcome'] }) {
  const list = useListOfCalls<Item>(['activity', 'items', 'of', outcome], ids, async (id, page, signal) => {
    const query = { outcome, ...page };
    return (await rollcall.call('listCallItems', { path: { id }, query, signal })).body.data;
  });
  const nameOf = useUserNames(list.items.map(userOf));
  return (
    <PeopleList label={outcome === 'failed' ? copy.failures : copy.people} list={list}>
      {list.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of several calls have the same positions
        <li key={index} className={styles.person}>
          <Text size="sm" component="div">
            <UserCell
              employeeID={item.employeeID ?? commonCopy.none}
              name={nameOf(userOf(item))}
              href={item.serial == null ? undefined : `/users/${item.serial}`}
            />
          </Text>
          {item.effect && <ItemEffect effect={item.effect} />}
          {item.error && <Text size="sm">{errorMessage(errorFrom(item.error))}</Text>}
        </li>
      ))}
    </PeopleList>
  );
}

/** What became of the user of an item. */
function ItemEffect({ effect: { kind, fields } }: { readonly effect: NonNullable<Item['effect']> }) {
  return (
    <>
      <Text size="sm">
        {kind === 'unchanged' ? commonCopy.changeKinds[kind] : changeText({ kind, fields })}
      </Text>
      <FieldChanges fields={fields} kind={kind} />
    </>
  );
}

function userOf({ employeeID, serial }: Item) {
  return { employeeID: employeeID ?? '', ...(serial == null ? {} : { serial }) };
}

/** The name, and the employee ID if it is wanted or nothing else is known. */
export function Person({
  change: { userSerial, employeeID, kind },
  name,
  showsIDs,
}: {
  readonly change: Change;
  /** Undefined until it is known, or if the user no longer has one. */
  readonly name: string | undefined;
  readonly showsIDs: boolean;
}) {
  if (kind === 'erased' || employeeID === '') {
    return (
      <Text span fw={600} size="sm">
        {copy.erasedUser}
      </Text>
    );
  }
  return (
    <>
      <Text span fw={600} size="sm">
        <Anchor component={Link} href={`/users/${userSerial}`} inherit>
          {name ?? employeeID}
        </Anchor>
      </Text>
      {showsIDs && name !== undefined && (
        <Text span size="sm" c="dimmed">
          {employeeID}
        </Text>
      )}
    </>
  );
}

interface PeopleListProps {
  readonly label: string;
  readonly list: PagedList<unknown>;
  readonly children: React.ReactNode;
}

function PeopleList({ label, list, children }: PeopleListProps) {
  const { isLoading, error, items, hasMore, isLoadingMore, loadMore, reload } = list;
  if (isLoading) return <Skeleton height={48} my="xs" />;
  return (
    <>
      {items.length > 0 && (
        <ul aria-label={label} className={styles.peopleList}>
          {children}
        </ul>
      )}
      {error !== undefined && <Problem title={activityCopy.list.cannotLoad} error={error} onRetry={reload} />}
      {hasMore && (
        <Button variant="default" size="xs" mt="xs" onClick={loadMore} loading={isLoadingMore}>
          {activityCopy.list.more}
        </Button>
      )}
    </>
  );
}

interface Page<Of> {
  readonly items: readonly Of[];
  readonly nextCursor: string | null;
}

interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}

const peopleAtOnce = 25;

/** One list after the other, as if they were one. The cursor begins with the place of the call. */
function useListOfCalls<Of>(
  key: readonly unknown[],
  ids: readonly string[],
  load: (id: string, page: PageRequest, signal: AbortSignal) => Promise<Page<Of>>,
): PagedList<Of> {
  return usePagedList<Of>({
    key: [...key, ids],
    load: async ({ cursor = '0 ' }, signal) => {
      const [place = '0', own = ''] = cursor.split(' ');
      const items: Of[] = [];
      let next: string | undefined = own || undefined;
      for (let index = Number(place); index < ids.length; index++) {
        const page = await load(ids[index] ?? '', { cursor: next, limit: peopleAtOnce }, signal);
        items.push(...page.items);
        next = page.nextCursor ?? undefined;
        // Calls can be small, as those of the last rows of a file.
        if (next !== undefined) return { items, nextCursor: `${index} ${next}` };
        if (items.length >= peopleAtOnce) return { items, nextCursor: `${index + 1} ` };
      }
      return { items, nextCursor: null };
    },
  });
}
