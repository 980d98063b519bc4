import { Button } from '@mantine/core';
import type { Query } from '@rollcall/client';
import { toCsv } from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { nameQuery } from '../components/actor.js';
import { useAttributes } from '../components/attributes.js';
import type { DisplayNames } from '../components/directory.js';
import { download } from '../components/download.js';
import { feedsQuery } from '../components/feeds-query.js';
import { notify } from '../components/notify.js';
import { ActionProblem } from '../components/problem.js';
import { employeeIDsToRead, namesIn } from '../components/reported-user.js';
import { activityCopy, commonCopy, changesCopy as copy } from '../copy/copy.js';
import { csvSeparator, formatNumber } from '../copy/format.js';
import { queryClient, rollcall } from '../session/api.js';
import { usePermission, useSeesHistory } from '../session/session.js';
import { type ActivityFilters, activityQuery, changesQuery, isByChange, type StoryEntry } from './story.js';
import { type Found, type RowNames, rowsOf, userOf } from './story-rows.js';

/** Enough for a month of most companies, and read in seconds. */
const rowsMax = 5_000;
const pageLimit = 200;

/** Downloads what the filters show: a row for each change of a field. */
export function ExportStory({ filters }: { filters: ActivityFilters }) {
  const seesChanges = usePermission('audit:read');
  const rights = { seesHistory: useSeesHistory(), seesClients: usePermission('access:admin') };
  const attributes = useAttributes();
  const reading = useMutation({
    mutationFn: async () => {
      const found = await findAll(filters, seesChanges);
      const names = { ...(await readNames(found, rights)), attributes };
      const rows = found.flatMap((each) => rowsOf(each, names)).slice(0, rowsMax);
      const isCut = found.length >= rowsMax || rows.length >= rowsMax;
      const text = toCsv([copy.export.columns, ...rows], {
        bom: true,
        allTexts: true,
        separator: csvSeparator,
      });
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

/** What is shown, with the people of each bulk change: from the change log for those who may read it. */
async function findAll(filters: ActivityFilters, seesChanges: boolean): Promise<Found[]> {
  const query = { ...activityQuery(filters, seesChanges), limit: pageLimit };
  const found: Found[] = [];
  for await (const { items } of rollcall.pages('listActivity', { query })) {
    for (const entry of items) await addRows(found, entry, seesChanges ? filters : undefined);
    if (found.length >= rowsMax) break;
  }
  return found.slice(0, rowsMax);
}

/** Without filters, changes can't be read. */
async function addRows(found: Found[], entry: StoryEntry, filters?: ActivityFilters): Promise<void> {
  const { change, calls, counts, actor } = entry;
  if (calls === null) {
    found.push({ entry, ...(change && { change }) });
    return;
  }
  const isOfFeed = actor?.kind === 'feed';
  const showsFailures = counts.failed > 0 && !(filters && isByChange(filters));
  if (showsFailures && isOfFeed) found.push({ entry });
  for (const callId of calls.ids) {
    if (showsFailures && !isOfFeed) await addItems(found, entry, callId, 'failed');
    if (filters) await addChanges(found, entry, { ...changesQuery(filters), callId });
    else await addItems(found, entry, callId, 'succeeded');
    if (found.length >= rowsMax) return;
  }
}

async function addChanges(found: Found[], entry: StoryEntry, query: Query<'listChanges'>): Promise<void> {
  const pages = rollcall.pages('listChanges', { query: { ...query, limit: pageLimit } });
  for await (const { items } of pages) {
    found.push(...items.map((change) => ({ entry, change })));
    if (found.length >= rowsMax) return;
  }
}

async function addItems(
  found: Found[],
  entry: StoryEntry,
  id: string,
  outcome: 'failed' | 'succeeded',
): Promise<void> {
  const pages = rollcall.pages('listCallItems', { path: { id }, query: { outcome, limit: pageLimit } });
  for await (const { items } of pages) {
    found.push(...items.map((item) => ({ entry, item })));
    if (found.length >= rowsMax) return;
  }
}

type Author = StoryEntry['actor'];

interface Rights {
  readonly seesHistory: boolean;
  readonly seesClients: boolean;
}

async function readNames(found: readonly Found[], rights: Rights): Promise<Omit<RowNames, 'attributes'>> {
  const named = [];
  for (const employeeIDs of employeeIDsToRead(
    found.flatMap((each) => userOf(each) ?? []),
    lookupsAtOnce,
  )) {
    if (employeeIDs.length === 0) continue;
    named.push(...(await rollcall.call('lookupUsers', { body: { employeeIDs } })).body.data.items);
  }
  const hasFeeds = found.some(({ entry, change }) => (change ?? entry).actor?.kind === 'feed');
  const feeds = hasFeeds ? await queryClient.fetchQuery(feedsQuery).catch(() => []) : [];
  const feedName = (key: string) => feeds.find((feed) => feed.key === key)?.name;
  const madeBy = await authorNames(
    found.map(({ entry, change }) => (change ?? entry).actor),
    async (author) => authorName(author, rights, feedName),
  );
  const [organizations, tags] = [await displayNames('listOrganizations'), await displayNames('listTags')];
  return { userName: namesIn(named), feedName, madeBy, organizations, tags };
}

async function displayNames(operation: 'listOrganizations' | 'listTags'): Promise<DisplayNames> {
  const names = new Map<string, string>();
  for await (const { serial, displayName } of rollcall.each(operation, { query: { limit: pageLimit } })) {
    if (displayName !== null) names.set(serial, displayName);
  }
  return names;
}

/** Few people and programs make many changes. Those whose names can't be read are called by their IDs. */
async function authorNames(
  authors: readonly Author[],
  nameOf: (author: NonNullable<Author>) => Promise<string>,
): Promise<(author: Author) => string> {
  const distinct = new Map(authors.flatMap((author) => (author ? [[author.id, author] as const] : [])));
  const names = new Map<string, string>();
  for (const author of distinct.values()) {
    names.set(author.id, await nameOf(author).catch(() => author.id));
  }
  return (author) => (author ? (names.get(author.id) ?? author.id) : activityCopy.actors.service);
}

/** As on the screen. */
async function authorName(
  { kind, id }: NonNullable<Author>,
  { seesHistory, seesClients }: Rights,
  feedName: (key: string) => string | undefined,
): Promise<string> {
  const texts = activityCopy.actors;
  if (kind === 'person')
    return (await queryClient.fetchQuery(nameQuery(id, seesHistory))).name ?? texts.removed;
  if (kind === 'feed') return commonCopy.feedActor(feedName(id) ?? id);
  if (kind !== 'client') return id;
  if (!seesClients) return texts.someClient;
  return texts.client((await rollcall.call('getClient', { path: { id } })).body.data.name);
}

const lookupsAtOnce = 1_000;
