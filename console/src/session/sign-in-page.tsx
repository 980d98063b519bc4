import { Group, Title } from '@mantine/core';
import icon from '../icon.svg';
import { texts } from '../texts/index.js';
import { LonePage } from './lone-page.js';
import { SignInForm } from './sign-in-form.js';

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
