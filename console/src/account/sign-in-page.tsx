import { Group, Title } from '@mantine/core';
import { sessionCopy } from '../copy/copy.js';
import icon from '../icon.svg';
import { LanguageLinks } from './language-links.js';
import { SignInForm } from './sign-in-form.js';
import { StandalonePage } from './standalone-page.js';

export function SignInPage() {
  return (
    <StandalonePage title={sessionCopy.title}>
      <Group gap="sm" mb="md" wrap="nowrap">
        <img src={icon} alt="" width={32} height={32} />
        <Title order={1} size="h3">
          {sessionCopy.title}
        </Title>
      </Group>
      <SignInForm />
      <LanguageLinks />
    </StandalonePage>
  );
}
