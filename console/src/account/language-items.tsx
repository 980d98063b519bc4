import { Menu } from '@mantine/core';
import { leaveFor } from '../components/navigation-guard.js';
import { commonCopy } from '../copy/copy.js';
import { language, languageChoices } from '../copy/language.js';
import { chooseLanguage } from './choose-language.js';

/** The part of the account menu that changes the language. */
export function LanguageItems() {
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{commonCopy.language}</Menu.Label>
      {languageChoices.map(([choice, name]) => (
        <Menu.Item
          key={choice}
          lang={choice}
          onClick={() => {
            if (choice !== language) leaveFor(() => void chooseLanguage(choice));
          }}
          aria-current={choice === language ? 'true' : undefined}
          fw={choice === language ? 700 : undefined}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
