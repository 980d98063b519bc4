import { Anchor, Group, Menu, Text } from '@mantine/core';
import { leaveFor } from '../components/navigation-guard.js';
import { notify } from '../components/notify.js';
import { commonCopy, sessionCopy } from '../copy/copy.js';
import { type Language, language, languageChoices, languages, switchLanguage } from '../copy/language.js';
import { rollcall } from '../session/api.js';

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

/** For the console and for messages. If the service can't store it, the console changes nevertheless. */
async function chooseLanguage(language: Language): Promise<void> {
  await rollcall.call('setOwnLanguage', { body: { language } }).catch(() => {});
  if (!switchLanguage(language)) notify(sessionCopy.languageLater(languages[language]));
}

/** The languages next to each other, for pages without a menu. */
export function LanguageLinks() {
  return (
    <Group component="nav" aria-label={commonCopy.language} gap="md" justify="center" mt="lg">
      {languageChoices.map(([choice, name]) =>
        choice === language ? (
          <Text key={choice} size="sm" c="dimmed" aria-current="true">
            {name}
          </Text>
        ) : (
          <Anchor
            key={choice}
            component="button"
            type="button"
            size="sm"
            lang={choice}
            onClick={() => switchLanguage(choice)}
          >
            {name}
          </Anchor>
        ),
      )}
    </Group>
  );
}
