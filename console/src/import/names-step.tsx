import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import {
  type EntryField,
  entryFields,
  isUndecided,
  type NameDecision,
  type NameGroup,
  newSerialOf,
} from '@rollcall/sheets';
import { useState } from 'react';
import { EntrySelect } from '../components/entry-inputs.js';
import { fullEntryName } from '../components/entry-name.js';
import { nextTask } from '../components/yield-to-browser.js';
import { directoriesCopy, importCopy } from '../copy/on-demand-copy.js';
import { isCheckCurrent, startCheck } from './check/run-check.js';
import styles from './components/import.module.css';
import { StepHeading, type StepProps } from './components/step-heading.js';
import { dependencies } from './state/dependencies.js';
import { directoryOf, idOf, type Names, otherNames } from './state/names.js';
import { useImportState, useImportStore } from './state/store.js';

const copy = importCopy.names;
const namesShown = 50;

/** What the file calls organizations and tags that the directories don't have, or not by that name. */
export function NamesStep({ goTo }: StepProps) {
  const store = useImportStore();
  const state = useImportState();
  const { names } = state;
  const other = otherNames(names);
  const left = names.undecided.length;
  const goToCheck = async () => {
    if (!isCheckCurrent(state)) {
      void startCheck(store, dependencies);
      await nextTask(); // to show all rows is enough for one task
    }
    goTo('check');
  };
  return (
    <Stack maw={960} gap="lg">
      <div>
        <StepHeading>{copy.heading}</StepHeading>
        <Text size="sm">{copy.hint}</Text>
        {!names.mayCreate && <Text size="sm">{copy.strict}</Text>}
      </div>
      {entryFields.map((field) => (
        <NewNames key={field} field={field} groups={other.filter(isNewNameOf(field))} />
      ))}
      <RecognizedNames groups={other.filter((group) => !isUndecided(group))} />
      <Text size="sm" role="status">
        {copy.left(left)}
      </Text>
      <Group>
        <Button variant="default" onClick={() => goTo('columns')}>
          {importCopy.back}
        </Button>
        <Button disabled={left > 0} onClick={() => void goToCheck()}>
          {importCopy.next}
        </Button>
      </Group>
    </Stack>
  );
}

function isNewNameOf(field: EntryField) {
  return (group: NameGroup) => group.field === field && isUndecided(group);
}

/** Unknown and ambiguous names. */
function NewNames({ field, groups }: { field: EntryField; groups: readonly NameGroup[] }) {
  const store = useImportStore();
  const { names } = useImportState();
  if (groups.length === 0) return null;
  const open = groups.filter((group) => !names.decisionOf(group));
  const creatable = open.filter((group) => group.match === 'unknown' && newSerialOf(group) !== undefined);
  const decide = (some: readonly NameGroup[], kind: 'create' | 'leaveOut') =>
    store.dispatch({ type: 'namesDecided', groups: some, decision: { kind } });
  return (
    <section aria-label={directoriesCopy.title[directoryOf[field]]}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5">
          {directoriesCopy.title[directoryOf[field]]}
        </Title>
        <Group gap="xs">
          {names.mayCreate && creatable.length > 1 && (
            <Button size="xs" variant="subtle" onClick={() => decide(creatable, 'create')}>
              {copy.createAll(creatable.length)}
            </Button>
          )}
          {open.length > 1 && (
            <Button size="xs" variant="subtle" onClick={() => decide(open, 'leaveOut')}>
              {copy.leaveOutAll(open.length)}
            </Button>
          )}
        </Group>
      </Group>
      <NameList groups={groups} />
    </section>
  );
}

/** By what was decided for an earlier file, or by a former name. It can be decided otherwise. */
function RecognizedNames({ groups }: { groups: readonly NameGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <section aria-label={copy.recognized}>
      <Title order={3} size="h5">
        {copy.recognized}
      </Title>
      <NameList groups={groups} />
    </section>
  );
}

function NameList({ groups }: { groups: readonly NameGroup[] }) {
  const [shown, setShown] = useState(namesShown);
  return (
    <>
      <ul className={styles.columns}>
        {groups.slice(0, shown).map((group) => (
          <li key={idOf(group)} className={styles.name}>
            <div>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {group.name}
              </Text>
              <Text size="sm" c="dimmed">
                {copy.rows(group.rows, group.firstRow)}
                {group.match === 'ambiguous' && ` ${copy.ambiguous}`}
              </Text>
            </div>
            <NameMeaning group={group} />
          </li>
        ))}
      </ul>
      {groups.length > shown && (
        <Button mt="xs" size="xs" variant="subtle" onClick={() => setShown(shown + namesShown)}>
          {copy.showMore(groups.length - shown)}
        </Button>
      )}
    </>
  );
}

/** Selects what a name means: an entry that looks like it, another one, a new one, or nothing. */
function NameMeaning({ group }: { group: NameGroup }) {
  const store = useImportStore();
  const { names } = useImportState();
  const decision = names.decisionOf(group);
  const [isSearching, setIsSearching] = useState(isElsewhere(decision, group));
  const kind = directoryOf[group.field];
  const decide = (next: NameDecision | undefined) =>
    store.dispatch({ type: 'namesDecided', groups: [group], decision: next });
  const choose = (value: string) => {
    setIsSearching(value === 'other');
    decide(decisionFor(value, group));
  };
  return (
    <Stack gap="xs">
      <NativeSelect
        aria-label={copy.meaning(group.name)}
        data={optionsFor(group, names)}
        value={isSearching ? 'other' : optionOf(decision)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {names.proposals.has(idOf(group)) && (
        <Text size="sm" c="dimmed">
          {copy.proposed}
        </Text>
      )}
      {isSearching && (
        <EntrySelect
          kind={kind}
          label={copy.existing[kind]}
          value={decision?.kind === 'use' ? decision.entry.serial : null}
          onChange={(serial) =>
            decide(serial === null ? undefined : { kind: 'use', entry: { serial, displayName: null } })
          }
          except=""
        />
      )}
    </Stack>
  );
}

const usePrefix = 'use ';

function optionsFor(group: NameGroup, { mayCreate }: Names) {
  const canCreate = mayCreate && newSerialOf(group) !== undefined;
  return [
    { value: '', label: initialLabel(group) },
    ...group.candidates.map((entry) => ({
      value: usePrefix + entry.serial,
      label: copy.use(fullEntryName(entry)),
    })),
    { value: 'other', label: group.candidates.length > 0 ? copy.useOther : copy.useExisting },
    ...(canCreate ? [{ value: 'create', label: copy.create[directoryOf[group.field]] }] : []),
    { value: 'leaveOut', label: copy.leaveOut },
  ];
}

/** What applies unless the user decides otherwise. */
function initialLabel(group: NameGroup): string {
  const { match, entry } = group;
  if (isUndecided(group)) return copy.choose;
  if (entry === null) return copy.leftOutBefore;
  return match === 'decision' ? copy.decidedBefore(fullEntryName(entry)) : copy.former(fullEntryName(entry));
}

function optionOf(decision: NameDecision | undefined): string {
  if (!decision) return '';
  return decision.kind === 'use' ? usePrefix + decision.entry.serial : decision.kind;
}

function decisionFor(value: string, { candidates }: NameGroup): NameDecision | undefined {
  if (value === 'create' || value === 'leaveOut') return { kind: value };
  const entry = candidates.find(({ serial }) => usePrefix + serial === value);
  return entry && { kind: 'use', entry };
}

function isElsewhere(decision: NameDecision | undefined, { candidates }: NameGroup): boolean {
  if (decision?.kind !== 'use') return false;
  return !candidates.some(({ serial }) => serial === decision.entry.serial);
}
