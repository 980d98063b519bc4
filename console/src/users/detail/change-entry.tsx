import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { formatRole, formatValue } from '../../components/field-value.js';
import { commonCopy } from '../../copy/common.js';
import { formatDateTime } from '../../copy/format.js';
import { userCopy } from '../../copy/user.js';
import css from '../form/user.module.css';
import { ActorName } from './actor-name.js';

type Change = Schemas['Change'];
type LoggedField = keyof Change['fields'];

/** A change of a person: who made it, when, and each field before and after. */
export function ChangeEntry({ change }: { change: Change }) {
  const fields = Object.keys(change.fields) as LoggedField[];
  return (
    <>
      <Text size="sm" c="dimmed">
        <time dateTime={change.at}>{formatDateTime(change.at)}</time> · <ActorName actor={change.actor} />
        {change.callId && (
          <>
            {' · '}
            <Anchor component={Link} href={`/activity/calls/${change.callId}`} inherit underline="always">
              {userCopy.history.call}
            </Anchor>
          </>
        )}
      </Text>
      <ul className={css.change}>
        {fields.map((field) => {
          const former = field === 'role' ? formerRole(change) : undefined;
          if (former !== undefined) return <li key={field}>{userCopy.roles.former(former)}</li>;
          return (
            <FieldChange
              key={field}
              name={commonCopy.fields[field]}
              isWhole={change.kind !== 'updated'}
              before={shown(field, change.fields[field]?.before)}
              after={shown(field, change.fields[field]?.after)}
            />
          );
        })}
      </ul>
    </>
  );
}

/** The role that a deactivation removed. */
function formerRole({ fields: { isActive, role } }: Change): string | undefined {
  return isActive?.after === false && role?.after === null ? formatRole(role.before) : undefined;
}

function shown(field: LoggedField, value: unknown): unknown {
  return field === 'role' ? formatRole(value) : value;
}

interface FieldChangeProps {
  readonly name: string;
  /** The person came or went with it: there is only one side to tell. */
  readonly isWhole: boolean;
  readonly before: unknown;
  readonly after: unknown;
}

function FieldChange({ name, isWhole, before, after }: FieldChangeProps) {
  if (isWhole) {
    const value = after ?? before;
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    return isEmpty ? null : (
      <li>
        {name}: {formatValue(value)}
      </li>
    );
  }
  return (
    <li>
      {name}: <VisuallyHidden>{userCopy.history.from}</VisuallyHidden> <del>{formatValue(before)}</del>{' '}
      <span aria-hidden="true">→</span> <VisuallyHidden>{userCopy.history.to}</VisuallyHidden>{' '}
      <ins>{formatValue(after)}</ins>
    </li>
  );
}
