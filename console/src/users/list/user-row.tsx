import { memo, type ReactNode } from 'react';
import type { DisplayNames } from '../../components/directory.js';
import { commonCopy, usersCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import type { ListedUser, User } from '../data/user.js';
import css from './users.module.css';
import type { Column } from './users-view.js';

interface UserRowProps {
  readonly index: number;
  readonly user: ListedUser | undefined;
  readonly columns: readonly Column[];
  readonly height: number;
  readonly isNarrow: boolean;
  readonly organizationNames: DisplayNames;
  readonly tagNames: DisplayNames;
  /** Whether the row is the tab stop. */
  readonly isTabStop: boolean;
}

/** Plain elements, and no click handlers: scrolling renders dozens of rows at a time. */
export const UserRow = memo(function PersonRow(props: UserRowProps) {
  const { index, user, columns, height, isNarrow, isTabStop } = props;
  const names = { organizations: props.organizationNames, tags: props.tagNames };
  return (
    <tr
      className={css.row}
      data-row={index}
      data-serial={user?.serial}
      aria-rowindex={index + 2}
      style={{ height }}
    >
      {columns.map((column) =>
        user === undefined ? (
          <td key={column}>
            <span className={css.coming} />
          </td>
        ) : column === 'name' ? (
          <th key={column} scope="row" title={user.name}>
            <a href={`/users/${user.serial}`} tabIndex={isTabStop ? 0 : -1}>
              {user.name}
            </a>
            {user.formerEmployeeID !== undefined && (
              <span className={css.formerly}>{usersCopy.formerly(user.formerEmployeeID)}</span>
            )}
            {isNarrow && <SecondLine user={user} />}
          </th>
        ) : (
          <td key={column} title={titleOf(user, column)}>
            {cell(user, column, names)}
          </td>
        ),
      )}
    </tr>
  );
});

function SecondLine({ user }: { user: User }) {
  return (
    <span className={css.second}>
      <span>{[user.employeeID, user.email ?? user.phone].join(' · ')}</span>
      {!user.isActive && <span className={css.inactive}>{commonCopy.inactive}</span>}
    </span>
  );
}

interface Names {
  readonly organizations: DisplayNames;
  readonly tags: DisplayNames;
}

function cell(user: User, column: Exclude<Column, 'name'>, { organizations, tags }: Names): ReactNode {
  if (column === 'isActive') {
    return user.isActive ? commonCopy.active : <span className={css.inactive}>{commonCopy.inactive}</span>;
  }
  if (column === 'createdAt' || column === 'updatedAt') return formatDateTime(user[column]);
  if (column === 'tagSerials')
    return user.tagSerials.map((serial) => tags.get(serial) ?? serial).join(', ') || commonCopy.none;
  const value = user[column] ?? commonCopy.none;
  return column === 'organizationSerial' ? (organizations.get(value) ?? value) : value;
}

/** Tooltip for values that may be cut off, and for serials behind names. */
function titleOf(user: User, column: Column): string | undefined {
  if (column === 'tagSerials') return user.tagSerials.join(', ') || undefined;
  if (column === 'isActive' || column === 'createdAt' || column === 'updatedAt') return undefined;
  return user[column] ?? undefined;
}
