import { Paper, Text } from '@mantine/core';
import { notice } from '../parts/notice.js';
import { PageTitle } from '../parts/page-title.js';
import { texts } from '../texts/index.js';
import { ChangePasswordForm } from './change-password-form.js';
import { useMe } from './session.js';

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
