import { ActionIcon, Menu } from '@mantine/core';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { focusPage } from './focus-page.js';

interface RowMenuProps<Verb extends string> {
  readonly label: string;
  readonly verbs: readonly Verb[];
  readonly textOf: (verb: Verb) => string;
  readonly onChoose: (verb: Verb) => void;
}

/** What can be done with the row of a table. */
export function RowMenu<Verb extends string>({ label, verbs, textOf, onChoose }: RowMenuProps<Verb>) {
  const button = useKeepFocus(); // the row of something deleted takes the focus with it
  const choose = (verb: Verb) => {
    // The dialog returns the focus to where it was, and the menu is about to disappear.
    button.current?.focus();
    onChoose(verb);
  };
  return (
    <Menu position="bottom-end" width={180} shadow="md">
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={32} aria-label={label}>
          <span aria-hidden="true">•••</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {verbs.map((verb) => (
          <Menu.Item key={verb} onClick={() => choose(verb)}>
            {textOf(verb)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** For a button that may disappear while it has the focus: the page gets it then. */
export function useKeepFocus(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      if (button.current !== null && button.current === document.activeElement) focusPage();
    },
    [],
  );
  return button;
}
