import {
  Anchor,
  Autocomplete,
  type AutocompleteProps,
  Group,
  Pill,
  Select,
  TagsInput,
  type TagsInputProps,
  Text,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { resolveNames } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { commonCopy, usersCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import {
  type DirectoryKind,
  directoriesKey,
  type Reference,
  type ReferenceKind,
  useCurrentSuggestions,
  useDisplayNames,
  useSuggestions,
} from './directory.js';
import { entryName, entryNamed, fullEntryName } from './entry-name.js';
import { typingPauseMs } from './search-box.js';

interface EntrySelectProps {
  readonly kind: DirectoryKind;
  readonly label: string;
  readonly description?: string;
  /** The serial. */
  readonly value: string | null;
  readonly onChange: (serial: string | null) => void;
  /** Cannot be chosen. */
  readonly except: string;
  readonly isRequired?: boolean;
}

/** Selects an existing organization or tag by its name or serial. */
export function EntrySelect({
  kind,
  label,
  description,
  value,
  onChange,
  except,
  isRequired,
}: EntrySelectProps) {
  const [typed, setTyped] = useState('');
  const names = useDisplayNames(kind, value === null ? [] : [value]);
  const selected = value === null ? undefined : { serial: value, displayName: names.get(value) ?? null };
  // The selected entry is in the text box, but isn't what is searched for.
  const isSelected = selected !== undefined && typed === fullEntryName(selected);
  const [search] = useDebouncedValue(isSelected ? '' : typed, typingPauseMs);
  const suggested = useSuggestions(kind, search).filter(({ serial }) => serial !== except);
  const isSuggested = suggested.some(({ serial }) => serial === value);
  const entries = selected && !isSuggested ? [...suggested, selected] : suggested;
  const bySerial = new Map(entries.map((entry) => [entry.serial, entry]));
  return (
    <Select
      label={label}
      {...(description === undefined ? {} : { description })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={entries.map((entry) => ({ value: entry.serial, label: fullEntryName(entry) }))}
      value={value}
      onChange={onChange}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const entry = bySerial.get(option.value);
        return entry ? <EntryOption entry={entry} /> : option.label;
      }}
      nothingFoundMessage={commonCopy.nothingFound}
      clearable={!isRequired}
      clearButtonProps={{ 'aria-label': commonCopy.clear(label) }}
      required={isRequired ?? false}
      // Otherwise it would cover the buttons of a dialog that has just opened.
      openOnFocus={false}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

interface SerialInputProps extends Omit<AutocompleteProps, 'data' | 'onChange'> {
  readonly kind: ReferenceKind;
  /** The serial, or the employee ID of a user. */
  readonly value: string;
  readonly onChange: (serial: string) => void;
  /** Is not suggested. */
  readonly except?: string | undefined;
}

/** Enters an organization, tag or user by name or serial, and suggests those that exist. Shows the serial below the name. */
export function SerialInput({ kind, value, onChange, except, description, ...props }: SerialInputProps) {
  const { onFocus, onBlur, ...others } = props;
  const [isUsed, setIsUsed] = useState(false);
  // Undefined as soon as the input is left, or an entry is chosen.
  const [typed, setTyped] = useState<string>();
  const chosen = useRef<string>(undefined);
  const [search] = useDebouncedValue(typed ?? '', typingPauseMs);
  const suggested = useSuggestions(kind, search, { isWanted: isUsed }).filter(
    (entry) => entry.serial !== except,
  );
  const bySerial = new Map(suggested.map((entry) => [entry.serial, entry]));
  const serial = value.trim();
  const name = useDisplayNames(kind, serial === '' ? [] : [serial]).get(serial);
  const named = typed === undefined ? undefined : entryNamed(typed, suggested)?.serial;
  useEffect(() => {
    if (named !== undefined && named !== value) onChange(named);
  }, [named, value, onChange]);
  const change = (text: string) => {
    setTyped(chosen.current === undefined ? text : undefined);
    onChange(chosen.current ?? text);
    chosen.current = undefined;
  };
  const isSerialShown = typed?.trim() === serial;
  const note = name !== undefined && (isSerialShown ? name : commonCopy.idOf(serial));
  const notes = [note, description].filter(Boolean);
  const isUnknown = name === undefined && (typed === undefined || suggested.length === 0);
  return (
    <>
      <Autocomplete
        {...others}
        {...(notes.length === 0
          ? {}
          : { description: notes.flatMap((each, index) => (index === 0 ? each : [' · ', each])) })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        value={typed ?? name ?? value}
        onChange={change}
        onOptionSubmit={(option) => {
          chosen.current = option;
        }}
        onFocus={(event) => {
          setIsUsed(true);
          onFocus?.(event);
        }}
        onBlur={(event) => {
          setTyped(undefined);
          onBlur?.(event);
        }}
        openOnFocus={false}
        data={suggested.map((entry) => ({ value: entry.serial, label: entryName(entry) }))}
        filter={({ options }) => options}
        renderOption={({ option }) => {
          const entry = bySerial.get(option.value);
          return entry ? <EntryOption entry={entry} /> : option.value;
        }}
      />
      {kind === 'organizations' && (
        <div role="status">
          {isUsed && isUnknown && serial !== '' && (
            <UnknownOrganization
              text={serial}
              onChoose={(chosen) => {
                setTyped(undefined);
                onChange(chosen);
              }}
            />
          )}
        </div>
      )}
    </>
  );
}

interface UnknownOrganizationProps {
  readonly text: string;
  readonly onChoose: (serial: string) => void;
}

/** What happens with an organization that doesn't exist, and those that may be meant instead. */
function UnknownOrganization({ text, onChoose }: UnknownOrganizationProps) {
  const [asked] = useDebouncedValue(text, typingPauseMs);
  const { data } = useQuery({
    queryKey: [...directoriesKey, 'organizations', 'meaning', asked],
    queryFn: async ({ signal }) => {
      const { items, mayCreate } = await resolveNames(rollcall, 'organizations', [asked], { signal });
      return { ...items[0], mayCreate };
    },
  });
  if (asked !== text || data?.match === undefined || data.match === 'serial') return null;
  const { match, entry, candidates = [], mayCreate } = data;
  const meant = entry ? [entry] : candidates.slice(0, candidatesShown);
  return (
    <Text size="xs" mt={4}>
      {match === 'unknown' && commonCopy.unknownOrganization(mayCreate)}
      {meant.length > 0 && ` ${usersCopy.didYouMean}`}
      {meant.map((candidate) => (
        <Fragment key={candidate.serial}>
          {' '}
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            onClick={() => onChoose(candidate.serial)}
          >
            {fullEntryName(candidate)}
          </Anchor>
        </Fragment>
      ))}
    </Text>
  );
}

const candidatesShown = 3;

interface SerialsInputProps
  extends Omit<TagsInputProps, 'data' | 'value' | 'searchValue' | 'onSearchChange'> {
  readonly kind: ReferenceKind;
  readonly value: readonly string[];
  /** What is typed but not yet one of the values. */
  readonly typed: string;
  readonly onType: (text: string) => void;
  /** The suggestions are part of the page, and always shown. */
  readonly isListOpen?: boolean;
}

/** Enters serials of organizations or tags, or employee IDs, and suggests those that exist. Shows their names. */
export function SerialsInput({ kind, value, typed, onType, isListOpen, ...props }: SerialsInputProps) {
  const { onFocus, onKeyDown, onChange, ...others } = props;
  const [isUsed, setIsUsed] = useState(isListOpen ?? false);
  // Values that may be names, until it is known what they stand for.
  const [entered, setEntered] = useState<readonly string[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const [search] = useDebouncedValue(typed, typingPauseMs);
  const names = useDisplayNames(kind, value);
  const options = { isWanted: isUsed, includesInactive: true };
  const suggested = useSuggestions(kind, search, options).filter(({ serial }) => !value.includes(serial));
  const bySerial = new Map(suggested.map((entry) => [entry.serial, entry]));
  const text = typed.trim();
  const [first] = entered;
  const { entries, isCurrent } = useCurrentSuggestions(kind, first ?? '', {
    ...options,
    isWanted: first !== undefined,
  });
  useEffect(() => {
    if (first === undefined || !isCurrent) return;
    const serial = entryNamed(first, entries)?.serial ?? first;
    if (serial !== first) onChange?.([...new Set(value.map((each) => (each === first ? serial : each)))]);
    setEntered((all) => all.slice(1));
  }, [first, isCurrent, entries, value, onChange]);
  return (
    <TagsInput
      {...others}
      value={[...value]}
      onChange={(serials) => onChange?.(serials)}
      searchValue={typed}
      onSearchChange={(next) => {
        onType(next);
        setIsOpen(next !== '');
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        // A name stands for its entry, which is known once the suggestions are there.
        const isChoosing = event.currentTarget.getAttribute('aria-activedescendant') !== null;
        if (event.key !== 'Enter' || text === '' || isChoosing || event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (!value.includes(text)) onChange?.([...value, text]);
        setEntered([...entered, text]);
        onType(''); // what is typed next is another value
        setIsOpen(false);
      }}
      onFocus={(event) => {
        setIsUsed(true);
        onFocus?.(event);
      }}
      // Otherwise, suggestions appear while typing, not as soon as the box has the focus.
      openOnFocus={false}
      dropdownOpened={isListOpen || isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      data={suggested.map((entry) => ({ value: entry.serial, label: fullEntryName(entry) }))}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const entry = bySerial.get(String(option.value));
        return entry ? <EntryOption entry={entry} /> : String(option.value);
      }}
      renderPill={({ value: serial = '', onRemove, disabled }) => (
        <Pill
          withRemoveButton
          {...(onRemove ? { onRemove } : {})}
          disabled={disabled ?? false}
          title={serial}
          maw="100%"
        >
          {names.get(serial) ?? serial}
        </Pill>
      )}
      // Serials that differ in case are different.
      isDuplicate={(one, others) => others.includes(one)}
    />
  );
}

/** Takes over what is typed as soon as the focus leaves. */
export function EntriesInput(props: Omit<SerialsInputProps, 'typed' | 'onType'>) {
  const [typed, setTyped] = useState('');
  return <SerialsInput {...props} typed={typed} onType={setTyped} acceptValueOnBlur />;
}

/** An entry in a list of suggestions, and how many users have it. */
function EntryOption({ entry: { serial, displayName, users } }: { entry: Reference }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" w="100%">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm">{displayName ?? serial}</Text>
        {displayName !== null && (
          <Text size="xs" c="dimmed">
            {serial}
          </Text>
        )}
      </div>
      {users && (
        <Text size="xs" c="dimmed" flex="none">
          {usersCopy.total({ count: users.total, isExact: users.isExact })}
        </Text>
      )}
    </Group>
  );
}
