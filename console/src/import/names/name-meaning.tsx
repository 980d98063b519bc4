import { NativeSelect, Stack } from '@mantine/core';
import { isUndecided, type NameDecision, type NameGroup, newSerialOf } from '@rollcall/sheets';
import { useState } from 'react';
import { EntrySelect } from '../../components/entry-inputs.js';
import { fullEntryName } from '../../components/entry-name.js';
import { importCopy } from '../../copy/copy.js';
import { decisionOf, directoryOf, type Names } from '../state/names.js';
import { useImportState, useImportStore } from '../state/store.js';

const copy = importCopy.names;

/** Selects what a name means: an entry that looks like it, another one, a new one, or nothing. */
export function NameMeaning({ group }: { group: NameGroup }) {
  const store = useImportStore();
  const { names } = useImportState();
  const decision = decisionOf(names, group);
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
