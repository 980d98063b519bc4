import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { DirectoryKind, DisplayNames, Entry } from '../components/directory.js';
import { entryName, usersPath } from '../components/entry-name.js';
import type { Column } from '../components/paged-list.js';
import { RowMenu, useKeepFocus } from '../components/row-menu.js';
import { commonCopy, directoriesCopy as copy } from '../copy/copy.js';
import { formatNumber } from '../copy/format.js';
import { type EntryAction, verbsFor } from './entry-action.js';

interface EntryColumnsOptions {
  readonly kind: DirectoryKind;
  readonly isNarrow: boolean;
  readonly parentNames: DisplayNames;
  /** Undefined if the user may not change anything. */
  readonly onAction: ((action: EntryAction) => void) | undefined;
}

export function entryColumns({
  kind,
  isNarrow,
  parentNames,
  onAction,
}: EntryColumnsOptions): Column<Entry>[] {
  const columns: (Column<Entry> | false)[] = [
    {
      header: copy.name,
      cell: (entry) => (
        <Name
          entry={entry}
          hasSerial={isNarrow}
          onAdd={onAction && (() => onAction({ verb: 'edit', entry }))}
        />
      ),
    },
    !isNarrow && { header: copy.id, cell: ({ serial }) => <Id serial={serial} /> },
    !isNarrow &&
      kind === 'organizations' && {
        header: copy.parent,
        cell: ({ parentSerial }) =>
          parentSerial ? (
            <Wrapped text={parentNames.get(parentSerial) ?? parentSerial} title={parentSerial} />
          ) : (
            commonCopy.none
          ),
      },
    {
      header: copy.users,
      isNumber: true,
      isShort: true,
      cell: (entry) => <UsersLink kind={kind} entry={entry} hasActive={isNarrow} />,
    },
    !isNarrow && {
      header: copy.activeUsers,
      isNumber: true,
      isShort: true,
      cell: (entry) => <ActiveUsersLink kind={kind} entry={entry} />,
    },
    onAction !== undefined && {
      header: copy.actions,
      isNumber: true,
      cell: (entry) => (
        <RowMenu
          label={copy.actionsFor(entryName(entry))}
          verbs={verbsFor(entry)}
          textOf={(verb) => copy[verb].action}
          onChoose={(verb) => onAction({ verb, entry })}
        />
      ),
    },
  ];
  return columns.filter((column) => column !== false);
}

function Wrapped({ text, title }: { text: string; title?: string }) {
  return (
    <span title={title} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </span>
  );
}

/** Only long IDs wrap. */
const shortIdMax = 24;

function Id({ serial }: { serial: string }) {
  if (serial.length > shortIdMax) return <Wrapped text={serial} />;
  return <span style={{ whiteSpace: 'nowrap' }}>{serial}</span>;
}

interface NameProps {
  readonly entry: Entry;
  readonly hasSerial: boolean;
  /** Undefined if the user may not add a name. */
  readonly onAdd: (() => void) | undefined;
}

function Name({ entry: { serial, displayName }, hasSerial, onAdd }: NameProps) {
  return (
    <>
      {displayName !== null && <Wrapped text={displayName} />}
      {displayName === null && (onAdd ? <AddName serial={serial} onAdd={onAdd} /> : commonCopy.none)}
      {hasSerial && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {serial}
        </Text>
      )}
    </>
  );
}

function AddName({ serial, onAdd }: { serial: string; onAdd: () => void }) {
  const button = useKeepFocus(); // it disappears when there is a name
  return (
    <Anchor
      ref={button}
      component="button"
      type="button"
      size="sm"
      c="dimmed"
      underline="always"
      aria-label={copy.addNameTo(serial)}
      onClick={onAdd}
    >
      {copy.addName}
    </Anchor>
  );
}

function UsersLink({ kind, entry, hasActive }: { kind: DirectoryKind; entry: Entry; hasActive: boolean }) {
  const { total, active, isExact } = entry.users;
  if (total === 0) return formatNumber(0);
  return (
    <>
      <Anchor
        component={Link}
        href={usersPath(kind, entry.serial)}
        size="sm"
        aria-label={copy.usersOf(entryName(entry), total)}
      >
        {isExact ? '' : '≈ '}
        {formatNumber(total)}
      </Anchor>
      {hasActive && active < total && (
        <Text size="xs" c="dimmed">
          {copy.activeShort(active)}
        </Text>
      )}
    </>
  );
}

function ActiveUsersLink({ kind, entry }: { kind: DirectoryKind; entry: Entry }) {
  const { active, isExact } = entry.users;
  if (active === 0) return formatNumber(0);
  return (
    <Anchor
      component={Link}
      href={usersPath(kind, entry.serial, true)}
      size="sm"
      aria-label={copy.activeUsersOf(entryName(entry), active)}
    >
      {isExact ? '' : '≈ '}
      {formatNumber(active)}
    </Anchor>
  );
}
