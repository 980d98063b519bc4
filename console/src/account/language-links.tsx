import { Anchor, Group, Text } from '@mantine/core';
import { commonCopy } from '../copy/copy.js';
import { language, languageChoices, switchLanguage } from '../copy/language.js';

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
