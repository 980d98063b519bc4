import { Stack, Text } from '@mantine/core';
import { notify } from '../components/notify.js';
import { PageTitle } from '../components/page-title.js';
import { Section } from '../components/section.js';
import { commonCopy, sessionCopy } from '../copy/copy.js';
import { useSignInMethods } from '../session/provider.js';
import { useCurrentUser } from '../session/session.js';
import { ChangePasswordForm } from './change-password-form.js';
import { NoticeChoices } from './notice-choices.js';
import { OwnApplications } from './own-applications.js';
import { OwnFactors } from './own-factors.js';
import { OwnHistory } from './own-history.js';
import { OwnProfile, OwnTeam } from './own-profile.js';
import { OwnSessions } from './own-sessions.js';

export function AccountPage() {
  const { name, signInName, role, scopes, method } = useCurrentUser();
  const methods = useSignInMethods();
  const mayUsePassword =
    methods?.password !== 'off' && (methods?.password === 'on' || role === 'administrator');
  const changed = () => {
    notify(sessionCopy.passwordChanged);
  };
  return (
    <>
      <PageTitle title={commonCopy.yourAccount} />
      {signInName !== null && role !== null && (
        <Text mb="md">{sessionCopy.signedInAs(name ?? signInName, signInName, sessionCopy.role(role))}</Text>
      )}
      {method === 'provider' && methods?.provider && (
        <Text mb="md">{sessionCopy.signedInWith(methods.provider.name)}</Text>
      )}
      {scopes.length === 0 && <Text mb="md">{sessionCopy.noRole}</Text>}
      <Stack>
        <OwnProfile />
        <OwnTeam />
        {scopes.length > 0 && <NoticeChoices />}
        {mayUsePassword ? (
          <Section title={sessionCopy.changePassword} maxWidth={640}>
            <ChangePasswordForm onChanged={changed} />
          </Section>
        ) : null}
        <OwnFactors />
        <OwnApplications />
        <OwnSessions />
        <OwnHistory />
      </Stack>
    </>
  );
}
