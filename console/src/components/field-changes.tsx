import { VisuallyHidden } from '@mantine/core';
import { isAttributeField } from '@rollcall/sheets';
import type { ReactNode } from 'react';
import { commonCopy, userCopy } from '../copy/copy.js';
import { UserLink } from './actor.js';
import { useFieldTexts } from './attributes.js';
import { type Change, type Changes, entriesOf } from './changed-fields.js';
import { type DisplayNames, useDisplayNames } from './directory.js';
import styles from './field-changes.module.css';
import { formatField, formatRole, isEmpty, type TagChanges, tagChanges } from './field-value.js';

type Names = Readonly<Record<'organizationSerial' | 'tagSerials', DisplayNames>> & {
  readonly attributeText: (field: string, value: unknown) => string;
};

/** Each field before and after a change. Created and removed users have only one side. */
export function FieldChanges({ fields, kind }: { fields: Changes; kind: string }) {
  const { nameOf, textOf } = useFieldTexts();
  const names: Names = {
    attributeText: textOf,
    organizationSerial: useDisplayNames('organizations', serialsIn(fields.organizationSerial)),
    tagSerials: useDisplayNames('tags', serialsIn(fields.tagSerials)),
  };
  const isChange = kind === 'updated' || kind === 'rehired';
  return (
    <ul className={styles.changes}>
      {entriesOf(fields).map(([field, change]) => {
        if (field === 'role' && isRoleRemoval(fields))
          return <li key={field}>{userCopy.roles.former(formatRole(change?.before))}</li>;
        const name = nameOf(field);
        const tags = field === 'tagSerials' ? tagChanges(change?.before, change?.after) : undefined;
        if (isChange && tags) return <TagsUpdate key={field} name={name} tags={tags} names={names} />;
        if (isChange) return <Update key={field} field={field} name={name} change={change} names={names} />;
        const value = kind === 'deleted' ? change?.before : change?.after;
        return isEmpty(value) ? null : (
          <li key={field}>
            {name}:{' '}
            {kind === 'deleted' ? <del>{format(field, value, names)}</del> : format(field, value, names)}
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

interface UpdateProps {
  readonly field: string;
  readonly name: string;
  readonly change: Change;
  readonly names: Names;
}

function Update({ field, name, change, names }: UpdateProps) {
  return (
    <TextUpdate
      name={name}
      hadNone={isEmpty(change?.before)}
      before={format(field, change?.before, names)}
      after={format(field, change?.after, names)}
    />
  );
}

interface TextUpdateProps {
  readonly name: string;
  readonly hadNone: boolean;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

/** A value before and after a change. */
export function TextUpdate({ name, hadNone, before, after }: TextUpdateProps) {
  return (
    <li>
      {name}: <VisuallyHidden>{commonCopy.from}</VisuallyHidden>{' '}
      {hadNone ? <span className={styles.nothing}>{before}</span> : <del>{before}</del>}{' '}
      <span aria-hidden="true">→</span> <VisuallyHidden>{commonCopy.to}</VisuallyHidden> <ins>{after}</ins>
    </li>
  );
}

/** Only the tags that come and go, because a user can have many others. */
function TagsUpdate({ name, tags, names }: { name: string; tags: TagChanges; names: Names }) {
  const changes = [
    ...tags.added.map((serial) => ({ serial, Mark: 'ins', sign: '+', verb: commonCopy.added }) as const),
    ...tags.removed.map((serial) => ({ serial, Mark: 'del', sign: '−', verb: commonCopy.removed }) as const),
  ];
  return (
    <li>
      {name}:{' '}
      {changes.map(({ serial, Mark, sign, verb }, index) => (
        <span key={serial}>
          {index > 0 && ', '}
          <Mark className={styles.tag}>
            <span aria-hidden="true">{sign}</span> <VisuallyHidden>{verb}</VisuallyHidden>{' '}
            {format('tagSerials', serial, names)}
          </Mark>
        </span>
      ))}
    </li>
  );
}

function format(field: string, value: unknown, names: Names): ReactNode {
  if (field === 'managerSerial' && typeof value === 'string') return <UserLink serial={value} isInline />;
  if (field === 'role') return formatRole(value);
  if (isAttributeField(field)) return names.attributeText(field, value);
  const known = field === 'organizationSerial' || field === 'tagSerials' ? names[field] : undefined;
  const named = (serial: unknown) => {
    const displayName = typeof serial === 'string' ? known?.get(serial) : undefined;
    return displayName === undefined ? serial : `${displayName} (${serial})`;
  };
  return formatField(field, Array.isArray(value) ? value.map(named) : named(value));
}

function serialsIn(change: Change): string[] {
  return [change?.before, change?.after].flat().filter((value) => typeof value === 'string');
}
