import { Anchor, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { type ChartColor, cssColor } from '../charts/series.js';
import { Actor } from '../components/actor.js';
import { useEntryNames } from '../components/call-names.js';
import { callTitle } from '../components/calls.js';
import { useDisplayNames } from '../components/directory.js';
import { feedsQuery } from '../components/feeds-query.js';
import { FieldChanges, TextUpdate } from '../components/field-changes.js';
import changesStyles from '../components/field-changes.module.css';
import type { UserNames } from '../components/reported-user.js';
import { useTargetNames } from '../components/use-target-names.js';
import { useUserNames } from '../components/user-cell.js';
import { activityCopy, commonCopy, changesCopy as copy } from '../copy/copy.js';
import { formatDateTime, formatList, formatLongDate, formatNumber, formatTime } from '../copy/format.js';
import {
  type ActivityFilters,
  byDay,
  type Change,
  changeText,
  countsText,
  type DirectoryEdit,
  decisionTexts,
  nameOfEdit,
  reported,
  type StoryEntry,
  type StoryGroup,
  withGroupedEdits,
} from './story.js';
import styles from './story.module.css';
import { Person, StoryPeople } from './story-people.js';

interface StoryListProps {
  readonly entries: readonly StoryEntry[];
  readonly filters: ActivityFilters;
  readonly showsIDs: boolean;
}

/** What happened, grouped by day. */
export function StoryList({ entries, filters, showsIDs }: StoryListProps) {
  const changes = entries.flatMap(({ change }) => change ?? []);
  const nameOf = useUserNames(changes.map(reported));
  return (
    <section aria-label={copy.feed}>
      {byDay(withGroupedEdits(entries)).map(({ at, items }) => (
        <div key={at} className={styles.day}>
          <Title order={2} size="h5" className={styles.dayTitle}>
            {formatLongDate(at)}
          </Title>
          <ol className={styles.list}>
            {items.map((entry) => (
              <li key={entry.id} className={styles.row}>
                {entry.change && <SingleChange {...{ change: entry.change, nameOf, showsIDs }} />}
                {entry.edit && <EditEntry entry={entry} edit={entry.edit} />}
                {entry.decision && <DecisionEntry entry={entry} decision={entry.decision} />}
                {entry.calls && <CallsEntry {...{ entry, calls: entry.calls, filters, showsIDs }} />}
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

export function StoryLoading() {
  return (
    <Stack role="status" aria-label={commonCopy.loading}>
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton key={key} height={64} />
      ))}
    </Stack>
  );
}

const colors: Readonly<Record<Change['kind'], ChartColor>> = {
  created: 'green',
  updated: 'blue',
  rehired: 'violet',
  deleted: 'red',
  erased: 'red',
};

function Dot({ color }: { color: ChartColor }) {
  return <span className={styles.dot} style={{ background: cssColor(color) }} aria-hidden />;
}

interface SingleChangeProps {
  readonly change: Change;
  readonly nameOf: UserNames;
  readonly showsIDs: boolean;
}

function SingleChange({ change, nameOf, showsIDs }: SingleChangeProps) {
  const { kind, at, actor, employeeID, fields } = change;
  const isGone = kind === 'erased' || employeeID === '';
  return (
    <>
      <Dot color={colors[kind]} />
      <div className={styles.main}>
        <div className={styles.head}>
          <Person change={change} name={nameOf(reported(change))} showsIDs={showsIDs} />
          <Text span size="sm">
            {changeText(change)}
          </Text>
          <By actor={actor} at={at} />
        </div>
        {!isGone && <FieldChanges fields={fields} kind={kind} />}
      </div>
    </>
  );
}

function By({ actor, at }: Pick<StoryEntry, 'actor' | 'at'>) {
  return (
    <Text span size="sm" c="dimmed" className={styles.meta}>
      <Actor actor={actor} fallback={activityCopy.actors.service} isInline />
      {' · '}
      <time dateTime={at} title={formatDateTime(at)}>
        {formatTime(at)}
      </time>
    </Text>
  );
}

interface CallsEntryProps {
  readonly entry: StoryEntry;
  readonly calls: NonNullable<StoryEntry['calls']>;
  readonly filters: ActivityFilters;
  readonly showsIDs: boolean;
}

/** What was changed together, with the people on request. */
function CallsEntry({ entry, calls, filters, showsIDs }: CallsEntryProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { actor, at, counts, requestId } = entry;
  const isFeed = actor?.kind === 'feed';
  const { data: feeds } = useQuery({ ...feedsQuery, enabled: isFeed });
  const feed = isFeed ? feeds?.find(({ key }) => key === actor.id) : undefined;
  const title = callTitle(
    { ...calls, actor },
    feed?.name,
    useEntryNames([calls]),
    useTargetNames(calls.patch),
  );
  const [callId] = calls.ids;
  const page = feed ? `/feeds/${feed.key}/runs/${requestId}` : `/activity/calls/${callId}`;
  return (
    <>
      <Dot color={counts.failed > 0 ? 'red' : 'violet'} />
      <div className={styles.main}>
        <div className={styles.head}>
          <Text span size="sm">
            <Anchor component={Link} href={page} inherit fw={600}>
              {title}
            </Anchor>
            {`: ${countsText(counts)}`}
            {counts.failed > 0 && (
              <Text span inherit fw={700} c="var(--mantine-color-error)">
                {countsText(counts) === '' ? '' : ', '}
                {copy.failed(counts.failed)}
              </Text>
            )}
          </Text>
          {calls.state !== 'done' && (
            <Text span size="sm" fw={600}>
              {activityCopy.calls.state[calls.state]}
            </Text>
          )}
          <By actor={isFeed ? null : actor} at={at} />
        </div>
        <Anchor
          component="button"
          type="button"
          size="sm"
          py={4}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? copy.hidePeople : copy.showPeople(formatNumber(peopleIn(entry)))}
          <VisuallyHidden>&nbsp;{copy.peopleOf(title, formatTime(at))}</VisuallyHidden>
        </Anchor>
        <div id={id}>
          {isOpen && <StoryPeople entry={entry} calls={calls} filters={filters} showsIDs={showsIDs} />}
        </div>
      </div>
    </>
  );
}

interface DecisionEntryProps {
  readonly entry: StoryEntry;
  readonly decision: NonNullable<StoryEntry['decision']>;
}

/** Who scheduled, approved or cancelled a change. */
function DecisionEntry({ entry: { actor, at }, decision }: DecisionEntryProps) {
  const { kind, callId, callKind, patch } = decision;
  const names = useEntryNames([{ ...decision, kind: callKind }]);
  const { title, detail } = decisionTexts(decision, names, useTargetNames(patch));
  return (
    <>
      <Dot color={kind === 'cancelled' || kind === 'rejected' ? 'red' : 'blue'} />
      <div className={styles.main}>
        <div className={styles.head}>
          <Text span size="sm">
            {`${copy.decision[kind]}: `}
            <Anchor component={Link} href={`/activity/calls/${callId}`} inherit fw={600}>
              {title}
            </Anchor>
            {detail}
          </Text>
          <By actor={actor} at={at} />
        </div>
      </div>
    </>
  );
}

/** Who named, nested, added or removed an organization or a tag. */
function EditEntry({ entry: { actor, at, edits }, edit }: { entry: StoryGroup; edit: DirectoryEdit }) {
  const { directory, serial, kind, fields } = edit;
  const parents = [fields.parentSerial?.before, fields.parentSerial?.after].flatMap((parent) => parent ?? []);
  const parentNames = useDisplayNames(directory, parents);
  const currentNames = useDisplayNames(directory, [serial]);
  const name = fields.displayName ? nameOfEdit(edit) : (currentNames.get(serial) ?? serial);
  const texts = copy.edit[directory];
  const title = edits.length > 1 ? texts.several(edits.length) : texts[kind](name);
  const shown = edits.slice(0, namesShown).map(nameOfEdit);
  const beyond = edits.length - shown.length;
  const parentName = (parent: string | null) => parent && (parentNames.get(parent) ?? parent);
  return (
    <>
      <Dot color={kind === 'removed' ? 'red' : kind === 'added' ? 'green' : 'blue'} />
      <div className={styles.main}>
        <div className={styles.head}>
          <Anchor component={Link} href={placeOf(edit, edits.length === 1)} size="sm" fw={600}>
            {title}
          </Anchor>
          <By actor={actor} at={at} />
        </div>
        {edits.length > 1 && (
          <Text size="sm">{beyond > 0 ? copy.edit.more(shown.join(', '), beyond) : formatList(shown)}</Text>
        )}
        {edits.length === 1 && kind === 'changed' && (
          <ul className={changesStyles.changes}>
            {editFields.map((field) => {
              const change = fields[field];
              const textOf = field === 'parentSerial' ? parentName : (text: string | null) => text;
              return (
                change && (
                  <TextUpdate
                    key={field}
                    name={copy.edit.fields[field]}
                    hadNone={change.before === null}
                    before={textOf(change.before) ?? commonCopy.none}
                    after={textOf(change.after) ?? commonCopy.none}
                  />
                )
              );
            })}
          </ul>
        )}
      </div>
    </>
  );
}

const namesShown = 8;
const editFields = ['displayName', 'parentSerial'] as const;

function placeOf({ directory, serial }: DirectoryEdit, isOne: boolean): string {
  return isOne ? `/${directory}?search=${encodeURIComponent(serial)}` : `/${directory}`;
}

function peopleIn({ counts }: StoryEntry): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
