import { ActionIcon, Menu } from '@mantine/core';
import type { Entry } from '../components/directory.js';
import { entryName } from '../components/entry-name.js';
import { directoriesCopy as copy } from '../copy/copy.js';
import { type EntryAction, type EntryVerb, verbsFor } from './entry-action.js';
import { useKeepFocus } from './use-keep-focus.js';

interface EntryMenuProps {
  readonly entry: Entry;
  readonly onAction: (action: EntryAction) => void;
}

export function EntryMenu({ entry, onAction }: EntryMenuProps) {
  const button = useKeepFocus(); // the row of a deleted entry takes the focus with it
  const choose = (verb: EntryVerb) => {
    // The dialog returns the focus to where it was, and the menu is about to disappear.
    button.current?.focus();
    onAction({ verb, entry });
  };
  return (
    <Menu position="bottom-end" width={180} shadow="md">
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size={32}
          aria-label={copy.actionsFor(entryName(entry))}
        >
          <span aria-hidden="true">•••</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {verbsFor(entry).map((verb) => (
          <Menu.Item key={verb} onClick={() => choose(verb)}>
            {copy[verb].action}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
