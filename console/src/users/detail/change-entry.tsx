import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { roleInWords, valueInWords } from '../../components/field-value.js';
import { when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
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
        <time dateTime={change.at}>{when(change.at)}</time> · <ActorName actor={change.actor} />
        {change.callId && (
          <>
            {' · '}
            <Anchor component={Link} href={`/activity/calls/${change.callId}`} inherit underline="always">
              {texts.person.history.call}
            </Anchor>
          </>
        )}
      </Text>
      <ul className={css.change}>
        {fields.map((field) => {
          const former = field === 'role' ? formerRole(change) : undefined;
          if (former !== undefined) return <li key={field}>{texts.person.roles.former(former)}</li>;
          return (
            <FieldChange
              key={field}
              name={texts.common.fields[field]}
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
  return isActive?.after === false && role?.after === null ? roleInWords(role.before) : undefined;
}

function shown(field: LoggedField, value: unknown): unknown {
  return field === 'role' ? roleInWords(value) : value;
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
        {name}: {valueInWords(value)}
      </li>
    );
  }
  return (
    <li>
      {name}: <VisuallyHidden>{texts.person.history.from}</VisuallyHidden> <del>{valueInWords(before)}</del>{' '}
      <span aria-hidden="true">→</span> <VisuallyHidden>{texts.person.history.to}</VisuallyHidden>{' '}
      <ins>{valueInWords(after)}</ins>
    </li>
  );
}
