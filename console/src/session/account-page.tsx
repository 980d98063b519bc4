import { Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { PageTitle } from '../parts/page-title.js';
import { texts } from '../texts/index.js';
import { ChangePasswordForm } from './change-password-form.js';
import { useMe } from './session.js';

export function AccountPage() {
  const { name, username, role } = useMe();
  const changed = () => {
    notifications.show({
      message: texts.session.passwordChanged,
      color: 'green',
      closeButtonProps: { 'aria-label': texts.common.close },
    });
  };
  return (
    <>
      <PageTitle title={texts.session.changePassword} />
      <Text mb="md">{texts.session.signedInAs(name ?? username, username, texts.session.role(role))}</Text>
      <Paper withBorder p="lg" maw={420}>
        <ChangePasswordForm onChanged={changed} />
      </Paper>
    </>
  );
}
