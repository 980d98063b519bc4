import { Alert, Button, Radio, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatValue } from '../../components/field-value.js';
import { commonCopy } from '../../copy/common.js';
import { formatDateTime } from '../../copy/format.js';
import { userCopy } from '../../copy/user.js';
import type { DraftField } from '../form/draft.js';
import css from '../form/user.module.css';
import type { EditConflict } from './edit-conflict.js';

interface EditConflictAlertProps {
  readonly encounters: readonly EditConflict[];
  readonly at: string;
  readonly onDecided: (taken: DraftField[]) => void;
}

/** What somebody else changed while this person was being changed here, to decide on field by field. */
export function EditConflictAlert({ encounters, at, onDecided }: EditConflictAlertProps) {
  const [taken, setTaken] = useState<readonly DraftField[]>([]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const toDecide = encounters.filter(({ mine }) => mine !== undefined);
  const settled = encounters.filter(({ mine }) => mine === undefined);
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      color="yellow"
      variant="outline"
      title={userCopy.meanwhile.title}
      role="alert"
      mb="md"
      classNames={{ title: css.readable }}
    >
      <Text size="sm" mb="sm">
        {userCopy.meanwhile.hint(formatDateTime(at))}
      </Text>
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
          <Radio value="mine" label={userCopy.meanwhile.keepMine(formatValue(mine))} my={6} />
          <Radio value="theirs" label={userCopy.meanwhile.takeTheirs(formatValue(theirs))} />
        </Radio.Group>
      ))}
      {settled.length > 0 && (
        <>
          <Text size="sm">{userCopy.meanwhile.settled}</Text>
          <ul className={css.change}>
            {settled.map(({ field, before, theirs }) => (
              <li key={field}>
                {userCopy.becameOf(commonCopy.fields[field], formatValue(before), formatValue(theirs))}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button mt="sm" size="sm" onClick={() => onDecided([...taken])}>
        {userCopy.meanwhile.goOn}
      </Button>
    </Alert>
  );
}
