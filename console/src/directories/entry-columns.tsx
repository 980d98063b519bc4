import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { DirectoryKind, Entry } from '../components/directory.js';
import { entryName, usersPath } from '../components/entry-name.js';
import type { Column } from '../components/paged-list.js';
import { RowMenu, useKeepFocus } from '../components/row-menu.js';
import { commonCopy } from '../copy/copy.js';
import { formatNumber } from '../copy/format.js';
import { directoriesCopy as copy } from '../copy/on-demand-copy.js';
import { type EntryAction, verbsFor } from './entry-action.js';

interface EntryColumnsOptions {
  readonly kind: DirectoryKind;
  readonly isNarrow: boolean;
  /** Whether users of parts are counted, too. */
  readonly hasParts: boolean;
  /** Undefined if the user may not change anything. */
  readonly onAction: ((action: EntryAction) => void) | undefined;
}

export function entryColumns({ kind, isNarrow, hasParts, onAction }: EntryColumnsOptions): Column<Entry>[] {
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
    {
      header: copy.users,
      isNumber: true,
      isShort: true,
      cell: (entry) => <UsersLink kind={kind} entry={entry} isOnlyColumn={isNarrow} />,
    },
    !isNarrow && {
      header: copy.activeUsers,
      isNumber: true,
      isShort: true,
      cell: (entry) => <ActiveUsersLink kind={kind} entry={entry} />,
    },
    !isNarrow &&
      hasParts && {
        header: copy.usersWithParts,
        isNumber: true,
        isShort: true,
        cell: (entry) => (entry.hasParts ? <UsersWithPartsLink entry={entry} /> : commonCopy.none),
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

function Wrapped({ text }: { text: string }) {
  return <span style={{ overflowWrap: 'anywhere' }}>{text}</span>;
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

function Name({ entry: { serial, displayName, parents = [] }, hasSerial, onAdd }: NameProps) {
  return (
    <>
      {displayName !== null && <Wrapped text={displayName} />}
      {displayName === null && (onAdd ? <AddName serial={serial} onAdd={onAdd} /> : commonCopy.none)}
      {parents.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {copy.path(parents.map(entryName))}
        </Text>
      )}
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

interface UsersLinkProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  /** Whether no other column has numbers of users. */
  readonly isOnlyColumn: boolean;
}

function UsersLink({ kind, entry, isOnlyColumn }: UsersLinkProps) {
  const { users, hasParts } = entry;
  return (
    <>
      <CountLink
        href={usersPath(kind, entry.serial)}
        count={users.total}
        isExact={users.isExact}
        label={copy.usersOf(entryName(entry), users.total)}
      />
      {isOnlyColumn && !hasParts && users.active < users.total && (
        <Text size="xs" c="dimmed">
          {copy.activeShort(users.active)}
        </Text>
      )}
      {isOnlyColumn && hasParts && (
        <div>
          <UsersWithPartsLink entry={entry} isShort />
        </div>
      )}
    </>
  );
}

function ActiveUsersLink({ kind, entry }: { kind: DirectoryKind; entry: Entry }) {
  const { active, isExact } = entry.users;
  return (
    <CountLink
      href={usersPath(kind, entry.serial, { isActive: true })}
      count={active}
      isExact={isExact}
      label={copy.activeUsersOf(entryName(entry), active)}
    />
  );
}

function UsersWithPartsLink({ entry, isShort = false }: { entry: Entry; isShort?: boolean }) {
  const { total, isExact } = entry.usersWithParts ?? entry.users;
  return (
    <CountLink
      href={usersPath('organizations', entry.serial, { includeParts: true })}
      count={total}
      isExact={isExact}
      label={copy.usersWithPartsOf(entryName(entry), total)}
      {...(isShort && { text: copy.withPartsShort(total) })}
    />
  );
}

interface CountLinkProps {
  readonly href: string;
  readonly count: number;
  readonly isExact: boolean;
  readonly label: string;
  readonly text?: string;
}

function CountLink({ href, count, isExact, label, text }: CountLinkProps) {
  const shown = `${isExact ? '' : '≈ '}${text ?? formatNumber(count)}`;
  if (count === 0) return shown;
  return (
    <Anchor component={Link} href={href} size={text === undefined ? 'sm' : 'xs'} aria-label={label}>
      {shown}
    </Anchor>
  );
}
