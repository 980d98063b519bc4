import { Group, Title } from '@mantine/core';
import { texts } from '../copy/index.js';
import icon from '../icon.svg';
import { SignInForm } from './sign-in-form.js';
import { LonePage } from './standalone-page.js';

export function SignInPage() {
  return (
    <LonePage title={texts.session.title}>
      <Group gap="sm" mb="md" wrap="nowrap">
        <img src={icon} alt="" width={32} height={32} />
        <Title order={1} size="h3">
          {texts.session.title}
        </Title>
      </Group>
      <SignInForm />
    </LonePage>
  );
}
