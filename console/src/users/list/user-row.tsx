import { isAttributeField } from '@rollcall/sheets';
import { memo, type ReactNode } from 'react';
import {
  type Attribute,
  attributeCell,
  attributeOf,
  formatAttribute,
} from '../../components/attribute-value.js';
import type { DisplayNames } from '../../components/directory.js';
import { formatRole } from '../../components/field-value.js';
import { activityCopy, commonCopy, usersCopy, usersListCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { isEditableColumn, type ListedUser, managerField, storedValue, type User } from '../data/user.js';
import type { TableColumn } from './grid.js';
import type { Highlighter } from './highlight.js';
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
  readonly attributes: readonly Attribute[];
  readonly highlight: Highlighter | undefined;
  readonly isSelected: boolean;
  /** Everyone is selected, so no one can be unticked. */
  readonly isSelectionFixed: boolean;
  readonly isEditable: boolean;
  /** The tab stop, if it is in this row. */
  readonly tabStop: TableColumn | undefined;
  /** The editor of the tab stop. */
  readonly editor?: ReactNode;
  readonly measure: ((row: HTMLTableRowElement | null) => void) | undefined;
}

/** Plain elements, and no click handlers: scrolling renders dozens of rows at a time. */
export const UserRow = memo(function UserRow(props: UserRowProps) {
  const { index, user, columns, height, isNarrow, isSelected, isEditable, tabStop, editor, highlight } =
    props;
  const { attributes } = props;
  const names = { organizations: props.organizationNames, tags: props.tagNames, attributes };
  const tabIndexOf = (column: TableColumn) => (tabStop === column ? 0 : -1);
  return (
    <tr
      ref={props.measure}
      className={css.row}
      data-index={index}
      data-row={index}
      data-serial={user?.serial}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ height }}
    >
      <td data-column="select">
        {user && (
          <input
            type="checkbox"
            className={css.check}
            aria-label={usersListCopy.select.user(user.name)}
            checked={isSelected}
            disabled={props.isSelectionFixed}
            tabIndex={tabIndexOf('select')}
            readOnly
          />
        )}
      </td>
      {columns.map((column) =>
        user === undefined ? (
          <td key={column} data-column={column}>
            <span className={css.coming} />
          </td>
        ) : column === 'name' ? (
          <th key={column} scope="row" title={user.name} data-column={column}>
            <span className={css.nameLine}>
              <a href={`/users/${user.serial}`} tabIndex={tabIndexOf(column)}>
                <Highlighted text={user.name} highlight={highlight} />
              </a>
            </span>
            {user.formerEmployeeID !== undefined && (
              <span className={css.formerly}>{usersCopy.formerly(user.formerEmployeeID)}</span>
            )}
            {isNarrow && <SecondLine user={user} highlight={highlight} />}
            {tabStop === column && editor}
          </th>
        ) : (
          <td
            key={column}
            data-column={column}
            data-editable={(isEditable && isEditableColumn(column, attributes)) || undefined}
            title={titleOf(user, column, attributes)}
            tabIndex={tabIndexOf(column)}
          >
            {cell(user, column, names, highlight)}
            {tabStop === column && editor}
          </td>
        ),
      )}
    </tr>
  );
});

function SecondLine({ user, highlight }: { user: User; highlight: Highlighter | undefined }) {
  return (
    <span className={css.second}>
      <span className={css.id}>
        <Highlighted text={user.employeeID} highlight={highlight} />
      </span>
      <span className={css.contact}>{user.email ?? user.phone}</span>
      <StatusLabel isActive={user.isActive} />
    </span>
  );
}

interface Names {
  readonly organizations: DisplayNames;
  readonly tags: DisplayNames;
  readonly attributes: readonly Attribute[];
}

function cell(
  user: ListedUser,
  column: Exclude<Column, 'name'>,
  { organizations, tags, attributes }: Names,
  highlight: Highlighter | undefined,
): ReactNode {
  if (isAttributeField(column)) {
    return attributeCell(attributeOf(column, attributes)?.type, storedValue(user, column));
  }
  if (column === 'isActive') return <StatusLabel isActive={user.isActive} />;
  if (column === 'role') return user.role === undefined ? commonCopy.none : formatRole(user.role);
  if (column === 'lastSignInAt')
    return user.lastSignInAt == null ? commonCopy.none : formatDateTime(user.lastSignInAt);
  if (column === 'createdAt' || column === 'updatedAt') return formatDateTime(user[column]);
  if (column === 'tagSerials')
    return user.tagSerials.map((serial) => tags.get(serial) ?? serial).join(', ') || commonCopy.none;
  if (column === managerField) return managerName(user) ?? commonCopy.none;
  const value = user[column];
  if (value === null) return commonCopy.none;
  if (column === 'organizationSerial') return organizations.get(value) ?? value;
  return <Highlighted text={value} highlight={highlight} />;
}

/** Undefined without a manager. */
function managerName({ manager }: User): string | undefined {
  return manager === null ? undefined : (manager.name ?? activityCopy.actors.removed);
}

/** Tooltip for values that may be cut off, and for serials behind names. */
function titleOf(user: User, column: Column, attributes: readonly Attribute[]): string | undefined {
  if (isAttributeField(column)) {
    const value = storedValue(user, column);
    return value === null ? undefined : formatAttribute(attributeOf(column, attributes)?.type, value);
  }
  if (column === 'tagSerials') return user.tagSerials.join(', ') || undefined;
  if (column === 'isActive' || column === 'createdAt' || column === 'updatedAt') return undefined;
  if (column === 'role' || column === 'lastSignInAt') return undefined;
  if (column === managerField) return user.manager?.employeeID ?? undefined;
  return user[column] ?? undefined;
}

/** Marks what the search found. */
function Highlighted({ text, highlight }: { text: string; highlight: Highlighter | undefined }) {
  if (!highlight) return text;
  return highlight(text).map(({ text: part, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
    isMatch ? <mark key={index}>{part}</mark> : part,
  );
}

/** Whether a user is active, in words and with a dot. */
function StatusLabel({ isActive }: { isActive: boolean }) {
  return (
    <span className={css.status} data-active={isActive}>
      {isActive ? commonCopy.active : commonCopy.inactive}
    </span>
  );
}
