import { Paper, Text } from '@mantine/core';
import { notice } from '../components/notify.js';
import { PageTitle } from '../components/page-title.js';
import { texts } from '../copy/index.js';
import { useMe } from '../session/session.js';
import { ChangePasswordForm } from './change-password-form.js';

export function AccountPage() {
  const { name, username, role } = useMe();
  const changed = () => {
    notice(texts.session.passwordChanged);
  };
  return (
    <>
      <PageTitle title={texts.session.changePassword} />
      {username !== null && (
        <Text mb="md">{texts.session.signedInAs(name ?? username, username, texts.session.role(role))}</Text>
      )}
      <Paper withBorder p="lg" maw={420}>
        <ChangePasswordForm onChanged={changed} />
      </Paper>
    </>
  );
}
