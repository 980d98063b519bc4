import { Alert, Button, Radio, Text } from '@mantine/core';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Actor } from '../../components/actor.js';
import changesCss from '../../components/field-changes.module.css';
import { formatValue } from '../../components/field-value.js';
import { commonCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import type { DraftField } from '../form/draft.js';
import css from '../form/user.module.css';
import type { ChangeActor, EditConflict } from './edit-conflict.js';

interface EditConflictAlertProps {
  readonly conflicts: readonly EditConflict[];
  readonly at: string;
  /** Who made the other changes; empty if that is unknown. */
  readonly authors: readonly ChangeActor[];
  readonly onDecided: (taken: DraftField[]) => void;
}

export function EditConflictAlert({ conflicts, at, authors, onDecided }: EditConflictAlertProps) {
  const [taken, setTaken] = useState<readonly DraftField[]>([]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const toDecide = conflicts.filter(({ mine }) => mine !== undefined);
  const merged = conflicts.filter(({ mine }) => mine === undefined);
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      color="yellow"
      variant="outline"
      title={userCopy.editConflict.title}
      role="alert"
      mb="md"
      classNames={{ title: css.readable }}
    >
      <Text size="sm" mb="sm">
        {userCopy.editConflict.hint(formatDateTime(at))}
      </Text>
      {authors.length > 0 && (
        <Text size="sm" mb="sm">
          {userPageCopy.changedBy}{' '}
          {authors.map((actor, index) => (
            <Fragment key={actor.id}>
              {index > 0 && ', '}
              <Actor actor={actor} isInline />
            </Fragment>
          ))}
        </Text>
      )}
      {toDecide.map(({ field, before, theirs, mine }) => (
        <Radio.Group
          key={field}
          label={commonCopy.fields[field]}
          description={userCopy.was(formatValue(before))}
          value={taken.includes(field) ? 'theirs' : 'mine'}
          onChange={(choice) =>
            setTaken((now) =>
              choice === 'theirs' ? [...now, field] : now.filter((other) => other !== field),
            )
          }
          mb="sm"
        >
          <Radio value="mine" label={userCopy.editConflict.keepMine(formatValue(mine))} my={6} />
          <Radio value="theirs" label={userCopy.editConflict.takeTheirs(formatValue(theirs))} />
        </Radio.Group>
      ))}
      {merged.length > 0 && (
        <>
          <Text size="sm">{userCopy.editConflict.merged}</Text>
          <ul className={changesCss.changes}>
            {merged.map(({ field, before, theirs }) => (
              <li key={field}>
                {userCopy.fieldChange(commonCopy.fields[field], formatValue(before), formatValue(theirs))}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button mt="sm" size="sm" onClick={() => onDecided([...taken])}>
        {userCopy.editConflict.apply}
      </Button>
    </Alert>
  );
}
