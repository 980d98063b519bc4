import { Alert, Button, Radio, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { valueInWords } from '../../components/field-value.js';
import { when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import type { DraftField } from '../form/draft.js';
import css from '../form/user.module.css';
import type { Encounter } from './edit-conflict.js';

interface MeanwhileProps {
  readonly encounters: readonly Encounter[];
  readonly at: string;
  readonly onDecided: (taken: DraftField[]) => void;
}

/** What somebody else changed while this person was being changed here, to decide on field by field. */
export function Meanwhile({ encounters, at, onDecided }: MeanwhileProps) {
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
      title={texts.person.meanwhile.title}
      role="alert"
      mb="md"
      classNames={{ title: css.readable }}
    >
      <Text size="sm" mb="sm">
        {texts.person.meanwhile.hint(when(at))}
      </Text>
      {toDecide.map(({ field, before, theirs, mine }) => (
        <Radio.Group
          key={field}
          label={texts.common.fields[field]}
          description={texts.person.was(valueInWords(before))}
          value={taken.includes(field) ? 'theirs' : 'mine'}
          onChange={(choice) =>
            setTaken((now) =>
              choice === 'theirs' ? [...now, field] : now.filter((other) => other !== field),
            )
          }
          mb="sm"
        >
          <Radio value="mine" label={texts.person.meanwhile.keepMine(valueInWords(mine))} my={6} />
          <Radio value="theirs" label={texts.person.meanwhile.takeTheirs(valueInWords(theirs))} />
        </Radio.Group>
      ))}
      {settled.length > 0 && (
        <>
          <Text size="sm">{texts.person.meanwhile.settled}</Text>
          <ul className={css.change}>
            {settled.map(({ field, before, theirs }) => (
              <li key={field}>
                {texts.person.becameOf(
                  texts.common.fields[field],
                  valueInWords(before),
                  valueInWords(theirs),
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button mt="sm" size="sm" onClick={() => onDecided([...taken])}>
        {texts.person.meanwhile.goOn}
      </Button>
    </Alert>
  );
}
