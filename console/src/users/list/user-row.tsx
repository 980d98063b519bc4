import { memo, type ReactNode } from 'react';
import { commonCopy } from '../../copy/common.js';
import { formatDateTime } from '../../copy/format.js';
import type { User } from '../data/user.js';
import css from './users.module.css';
import type { Column } from './users-view.js';

interface UserRowProps {
  readonly index: number;
  readonly user: User | undefined;
  readonly columns: readonly Column[];
  readonly height: number;
  readonly isNarrow: boolean;
  /** Whether the row is the tab stop. */
  readonly isTabStop: boolean;
}

/** Plain elements, and no click handlers: scrolling renders dozens of rows at a time. */
export const UserRow = memo(function PersonRow(props: UserRowProps) {
  const { index, user, columns, height, isNarrow, isTabStop } = props;
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
            {isNarrow && <SecondLine user={user} />}
          </th>
        ) : (
          <td key={column} title={titleOf(user, column)}>
            {cell(user, column)}
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

function cell(user: User, column: Exclude<Column, 'name'>): ReactNode {
  if (column === 'isActive') {
    return user.isActive ? commonCopy.active : <span className={css.inactive}>{commonCopy.inactive}</span>;
  }
  if (column === 'createdAt' || column === 'updatedAt') return formatDateTime(user[column]);
  if (column === 'tagSerials') return user.tagSerials.join(', ') || commonCopy.none;
  return user[column] ?? commonCopy.none;
}

/** Tooltip for values that may be cut off. */
function titleOf(user: User, column: Column): string | undefined {
  if (column === 'tagSerials') return user.tagSerials.join(', ') || undefined;
  if (column === 'isActive' || column === 'createdAt' || column === 'updatedAt') return undefined;
  return user[column] ?? undefined;
}
