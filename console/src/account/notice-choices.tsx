import { Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ActionProblem, Problem } from '../components/problem.js';
import { Section } from '../components/section.js';
import { noticesCopy as copy } from '../copy/account-copy.js';
import { queryClient, rollcall } from '../session/api.js';

const queryKey = ['notice-choices'];

const topics = Object.keys(copy.topics) as (keyof typeof copy.topics)[];

/** Which notices the user gets by email. Nothing for users whose role has none. */
export function NoticeChoices() {
  const choices = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await rollcall.call('getNoticeChoices', { signal })).body.data,
  });
  const choosing = useMutation({
    mutationFn: async (chosen: Partial<Record<(typeof topics)[number], boolean>>) =>
      (await rollcall.call('setNoticeChoices', { body: { topics: chosen } })).body.data,
    onSuccess: (data) => queryClient.setQueryData(queryKey, data),
  });
  const { data } = choices;
  const shown = { ...data?.topics, ...(choosing.isPending ? choosing.variables : {}) };
  const offered = topics.filter((topic) => shown[topic] !== undefined);
  if (data && offered.length === 0) return null;
  return (
    <Section title={copy.title} maxWidth={640}>
      {choices.isPending && <Skeleton height={160} />}
      {choices.isError && (
        <Problem title={copy.cannotLoad} error={choices.error} onRetry={() => void choices.refetch()} />
      )}
      <ActionProblem title={copy.notChanged} error={choosing.error} />
      {data && (
        <>
          <Text size="sm" c="dimmed" mb="md">
            {data.email === null ? copy.noEmail : copy.lead(data.email)}
          </Text>
          <Stack gap="sm">
            {offered.map((topic) => (
              <Switch
                key={topic}
                label={copy.topics[topic]}
                checked={shown[topic] === true}
                onChange={({ currentTarget }) => choosing.mutate({ [topic]: currentTarget.checked })}
              />
            ))}
          </Stack>
        </>
      )}
    </Section>
  );
}
