import { VisuallyHidden } from '@mantine/core';
import { commonCopy } from '../copy/common.js';
import { userCopy } from '../copy/user.js';
import styles from './field-changes.module.css';
import { formatRole, formatValue, isEmpty } from './field-value.js';

type Change = { readonly before?: unknown; readonly after?: unknown } | undefined;
type Changes = Readonly<Record<string, Change>>;

const fieldNames: Readonly<Record<string, string>> = commonCopy.fields;

/** Each field before and after a change. Created and removed users have only one side. */
export function FieldChanges({ fields, kind }: { fields: Changes; kind: string }) {
  return (
    <ul className={styles.changes}>
      {Object.entries(fields).map(([field, change]) => {
        if (field === 'role' && isRoleRemoval(fields))
          return <li key={field}>{userCopy.roles.former(formatRole(change?.before))}</li>;
        const name = fieldNames[field] ?? field;
        if (kind === 'updated') return <Update key={field} field={field} name={name} change={change} />;
        const value = kind === 'deleted' ? change?.before : change?.after;
        return isEmpty(value) ? null : (
          <li key={field}>
            {name}: {kind === 'deleted' ? <del>{format(field, value)}</del> : format(field, value)}
          </li>
        );
      })}
    </ul>
  );
}

/** Deactivating a user removes the role. */
function isRoleRemoval({ isActive, role }: Changes): boolean {
  return isActive?.after === false && role?.after === null;
}

function Update({ field, name, change }: { field: string; name: string; change: Change }) {
  return (
    <li>
      {name}: <VisuallyHidden>{commonCopy.from}</VisuallyHidden> <del>{format(field, change?.before)}</del>{' '}
      <span aria-hidden="true">→</span> <VisuallyHidden>{commonCopy.to}</VisuallyHidden>{' '}
      <ins>{format(field, change?.after)}</ins>
    </li>
  );
}

function format(field: string, value: unknown): string {
  return field === 'role' ? formatRole(value) : formatValue(value);
}
