import { NativeSelect, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RecordFact } from '../../components/facts.js';
import { notify } from '../../components/notify.js';
import { ActionProblem, Problem } from '../../components/problem.js';
import { Section } from '../../components/section.js';
import { languageQuery } from '../../components/service-settings.js';
import { sessionCopy, userCopy, userLanguageCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { isLanguage, type Language, languageChoices, languages } from '../../copy/language.js';
import { rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';
import type { User } from '../data/user.js';
import { lastSignInQuery, roleQuery } from '../data/user-queries.js';

/** Whether and how the user can sign in, and what they may do. */
export function UserAccess({ user }: { user: User }) {
  const maySeeHistory = usePermission('audit:read');
  const mayWrite = usePermission('users:write');
  return (
    <Section title={userCopy.access}>
      <Role user={user} />
      <RecordFact name={userPageCopy.signsInWith}>{user.username ?? user.employeeID}</RecordFact>
      {maySeeHistory && <LastSignIn serial={user.serial} />}
      <UserLanguage user={user} mayChange={mayWrite} />
    </Section>
  );
}

function Role({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(roleQuery(user.serial));
  const copy = userCopy.roles;
  if (error !== null) {
    return <Problem title={copy.notLoaded} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={40} mb="sm" />;
  const { role, formerRole } = data;
  return (
    <RecordFact name={copy.label}>
      {sessionCopy.role(role)}
      <Text size="sm" c="dimmed">
        {user.isActive ? copy.means[role ?? 'none'] : userCopy.isInactive}
      </Text>
      {formerRole !== null && copy.former(sessionCopy.role(formerRole))}
    </RecordFact>
  );
}

function LastSignIn({ serial }: { serial: string }) {
  const { data: at } = useQuery(lastSignInQuery(serial));
  if (at === undefined) return null;
  return (
    <RecordFact name={userPageCopy.lastSignIn}>
      {at === null ? userPageCopy.neverSignedIn : formatDateTime(at)}
    </RecordFact>
  );
}

const standard = '';

/** The language of messages to the user. It takes effect as soon as it is chosen. */
function UserLanguage({ user, mayChange }: { user: User; mayChange: boolean }) {
  const { serial, name } = user;
  const queries = useQueryClient();
  const language = useQuery(languageQuery(serial));
  const setting = useMutation({
    mutationFn: (chosen: Language | null) =>
      rollcall.call('setLanguage', { path: { serial }, body: { language: chosen } }),
    onSuccess: ({ body }) => {
      const { language: set, defaultLanguage } = body.data;
      queries.setQueryData(languageQuery(serial).queryKey, body.data);
      notify(userLanguageCopy.done(name, languages[set ?? defaultLanguage]));
    },
  });
  if (language.isError)
    return (
      <Problem
        title={userLanguageCopy.notLoaded}
        error={language.error}
        onRetry={() => void language.refetch()}
      />
    );
  if (language.data === undefined) return <Skeleton height={60} mt="md" />;
  return (
    <>
      <NativeSelect
        mt="md"
        label={userLanguageCopy.label}
        description={userLanguageCopy.hint}
        disabled={!mayChange || setting.isPending}
        value={language.data.language ?? standard}
        onChange={({ currentTarget: { value } }) => setting.mutate(isLanguage(value) ? value : null)}
      >
        <option value={standard}>
          {userLanguageCopy.standard(languages[language.data.defaultLanguage])}
        </option>
        {languageChoices.map(([choice, called]) => (
          <option key={choice} value={choice} lang={choice}>
            {called}
          </option>
        ))}
      </NativeSelect>
      <ActionProblem title={userLanguageCopy.failed} error={setting.error} />
    </>
  );
}
