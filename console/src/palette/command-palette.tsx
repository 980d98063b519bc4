import { Combobox, Text, TextInput, useCombobox, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { limits } from '@rollcall/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from '../components/dialog.js';
import { directoriesKey, listEntries } from '../components/directory.js';
import { Icon, type IconName } from '../components/icon.js';
import { goTo, leaveFor } from '../components/navigation-guard.js';
import { typingPauseMs } from '../components/search-box.js';
import { navigationCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { useCurrentUser } from '../session/session.js';
import { signOut } from '../session/sign-in.js';
import { type ActionName, actionEntries, type Entry, matching, pageEntries } from './entries.js';
import styles from './palette.module.css';

const copy = navigationCopy.palette;

interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Finds users, pages and actions by typing. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps) {
  const [typed, setTyped] = useState('');
  const [, setHasFocus] = useState(false);
  const { scopes } = useCurrentUser();
  const { setColorScheme } = useMantineColorScheme();
  const combobox = useCombobox({ opened: true, onOpenedChange: (isOpen) => isOpen || onClose() });
  const { users, suggestions, hasMore, isSearching, isError } = useFoundUsers(typed);
  const pages = matching(pageEntries(scopes), typed);
  const actions = matching(actionEntries(scopes), typed);
  const entries = useFoundEntries(typed);
  const count = users.length + suggestions.length + entries.length + pages.length + actions.length;
  const serials = users.map(({ serial }) => serial);
  const shown = JSON.stringify([serials, suggestions, entries, pages.length, actions.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first option is selected when the options change
  useEffect(() => {
    combobox.selectFirstOption();
  }, [shown]);

  const act = (name: ActionName) => {
    if (name === 'signOut') leaveFor(() => void signOut());
    else if (name === 'shortcuts') onShortcuts();
    else setColorScheme(name);
  };
  const choose = (id: string) => {
    if (id.startsWith(suggestionPrefix)) return setTyped(id.slice(suggestionPrefix.length));
    onClose();
    const entry = [...entries, ...pages, ...actions].find((each) => each.id === id);
    if (!entry)
      goTo(id === allMatches ? `/users?${new URLSearchParams({ search: typed.trim() })}` : `/users/${id}`);
    else if ('goTo' in entry.does) goTo(entry.does.goTo);
    else act(entry.does.action);
  };
  return (
    <Dialog
      onClose={onClose}
      title={copy.title}
      size="lg"
      centered={false}
      yOffset="10vh"
      classNames={{ header: styles.header, body: styles.body, title: styles.title }}
      withCloseButton={false}
    >
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            role="combobox"
            aria-label={copy.title}
            placeholder={copy.placeholder}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onFocus={() => {
              setHasFocus(true); // by now the list exists, and the input can refer to it
              combobox.selectFirstOption();
            }}
            leftSection={<Icon name="search" size={16} />}
            size="md"
            autoComplete="off"
            data-autofocus
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={styles.options} aria-label={copy.title}>
          {users.length > 0 && (
            <Combobox.Group label={copy.users}>
              {users.map(({ serial, name, employeeID, isActive, formerEmployeeID }) => (
                <Combobox.Option key={serial} value={serial} className={styles.option}>
                  <Icon name="users" size={16} />
                  <span className={styles.label}>{name}</span>
                  <Text span size="xs" className={styles.note}>
                    {[
                      employeeID,
                      formerEmployeeID && copy.formerly(formerEmployeeID),
                      !isActive && copy.inactive,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                </Combobox.Option>
              ))}
              <PlainOption id={allMatches} icon="search" label={copy.allMatches(typed.trim())} />
            </Combobox.Group>
          )}
          {suggestions.length > 0 && (
            <Combobox.Group label={copy.didYouMean}>
              {suggestions.map((search) => (
                <PlainOption key={search} id={`${suggestionPrefix}${search}`} icon="search" label={search} />
              ))}
            </Combobox.Group>
          )}
          <Entries label={copy.directories} entries={entries} />
          <Entries label={copy.pages} entries={pages} />
          <Entries label={copy.actions} entries={actions} />
        </Combobox.Options>
        <p role="status" className={styles.status}>
          {statusText()}
        </p>
      </Combobox>
    </Dialog>
  );

  function statusText(): string {
    if (isError) return copy.failed;
    if (isSearching) return copy.searching;
    if (typed.trim() === '') return '';
    if (hasMore) return copy.firstFound(users.length);
    if (count === 0) return copy.nothing;
    const found = copy.found(users.length);
    return suggestions.length === 0 ? found : `${found} · ${copy.didYouMean}: ${suggestions.join(', ')}`;
  }
}

const allMatches = 'all-matches';
const suggestionPrefix = 'search:';

function Entries({ label, entries }: { label: string; entries: readonly Entry[] }): ReactNode {
  if (entries.length === 0) return null;
  return (
    <Combobox.Group label={label}>
      {entries.map(({ id, label: text, icon }) => (
        <PlainOption key={id} id={id} label={text} icon={icon} />
      ))}
    </Combobox.Group>
  );
}

function PlainOption({ id, label, icon }: { id: string; label: string; icon: IconName }) {
  return (
    <Combobox.Option value={id} className={styles.option}>
      <Icon name={icon} size={16} />
      <span className={styles.label}>{label}</span>
    </Combobox.Option>
  );
}

const shownMax = 7;
const shownEntriesMax = 3;

/** Organizations and tags that match what is being typed. They lead to their users. */
function useFoundEntries(typed: string): Entry[] {
  const [search] = useDebouncedValue(typed.trim().slice(0, limits.searchMaxLength), typingPauseMs);
  const { data } = useQuery({
    queryKey: [...directoriesKey, 'palette', search],
    queryFn: async ({ signal }) => {
      const query = { search, limit: shownEntriesMax };
      const found = await Promise.all(directoryKinds.map((kind) => listEntries(kind, query, signal)));
      return directoryKinds.flatMap((kind, index) =>
        (found[index]?.items ?? []).map((entry) => ({ kind, entry })),
      );
    },
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  if (typed.trim() === '') return [];
  return (data ?? []).map(({ kind, entry: { serial, displayName } }) => ({
    id: `${kind}:${serial}`,
    label: displayName ?? serial,
    icon: kind,
    does: { goTo: `/users?${new URLSearchParams(usersOf[kind](serial))}` },
  }));
}

const directoryKinds = ['organizations', 'tags'] as const;
const usersOf = {
  organizations: (serial: string) => ({ organization: serial, includeParts: 'true' }),
  tags: (serial: string) => ({ tag: serial }),
};

/** Users who match what is being typed. */
function useFoundUsers(typed: string) {
  const [search] = useDebouncedValue(typed.trim().slice(0, limits.searchMaxLength), typingPauseMs);
  const query = useQuery({
    queryKey: ['found-users', 'palette', search],
    queryFn: async ({ signal }) =>
      (await rollcall.call('listUsers', { query: { search, suggest: true, limit: shownMax }, signal })).body
        .data,
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const isCurrent = search === typed.trim();
  return {
    users: typed.trim() === '' ? [] : (query.data?.items ?? []),
    suggestions: isCurrent && !query.isPlaceholderData ? (query.data?.suggestions ?? []) : [],
    hasMore: query.data?.nextCursor != null,
    isSearching: typed.trim() !== '' && (!isCurrent || query.isFetching),
    isError: query.isError,
  };
}
