import { Paper, Text } from '@mantine/core';
import { notify } from '../components/notify.js';
import { PageTitle } from '../components/page-title.js';
import { sessionCopy } from '../copy/copy.js';
import { useCurrentUser } from '../session/session.js';
import { ChangePasswordForm } from './change-password-form.js';

export function AccountPage() {
  const { name, signInName, role } = useCurrentUser();
  const changed = () => {
    notify(sessionCopy.passwordChanged);
  };
  return (
    <>
      <PageTitle title={sessionCopy.changePassword} />
      {signInName !== null && (
        <Text mb="md">{sessionCopy.signedInAs(name ?? signInName, signInName, sessionCopy.role(role))}</Text>
      )}
      <Paper withBorder p="lg" maw={420}>
        <ChangePasswordForm onChanged={changed} />
      </Paper>
    </>
  );
}
