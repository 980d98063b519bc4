import { NativeSelect, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/notify.js';
import { ActionProblem, Problem } from '../../components/problem.js';
import { languageQuery } from '../../components/service-settings.js';
import { userLanguageCopy as copy } from '../../copy/copy.js';
import { isLanguage, type Language, languageChoices, languages } from '../../copy/language.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';

const standard = '';

/** The language of messages to the user. It takes effect as soon as it is chosen. */
export function UserLanguage({ user, mayChange }: { user: User; mayChange: boolean }) {
  const { serial, name } = user;
  const queries = useQueryClient();
  const language = useQuery(languageQuery(serial));
  const setting = useMutation({
    mutationFn: (chosen: Language | null) =>
      rollcall.call('setLanguage', { path: { serial }, body: { language: chosen } }),
    onSuccess: ({ body }) => {
      const { language: set, defaultLanguage } = body.data;
      queries.setQueryData(languageQuery(serial).queryKey, body.data);
      notify(copy.done(name, languages[set ?? defaultLanguage]));
    },
  });
  if (language.isError)
    return <Problem title={copy.notLoaded} error={language.error} onRetry={() => void language.refetch()} />;
  if (language.data === undefined) return <Skeleton height={60} mt="md" />;
  return (
    <>
      <NativeSelect
        mt="md"
        label={copy.label}
        description={copy.hint}
        disabled={!mayChange || setting.isPending}
        value={language.data.language ?? standard}
        onChange={({ currentTarget: { value } }) => setting.mutate(isLanguage(value) ? value : null)}
      >
        <option value={standard}>{copy.standard(languages[language.data.defaultLanguage])}</option>
        {languageChoices.map(([choice, called]) => (
          <option key={choice} value={choice} lang={choice}>
            {called}
          </option>
        ))}
      </NativeSelect>
      <ActionProblem title={copy.failed} error={setting.error} />
    </>
  );
}
