import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { Problem } from '../components/problem.js';
import { applicationsCopy } from '../copy/account-copy.js';
import { rollcall } from '../session/api.js';
import { askForProof } from '../session/proof.js';
import { restrictionOf, useSession } from '../session/session.js';
import { signOut } from '../session/sign-in.js';
import { applicationSignInQuery, leaveTo } from './application-sign-in.js';
import { StandalonePage } from './standalone-page.js';

const copy = applicationsCopy.signIn;

/** Users who have signed in here get to the application that sent them, unless something is missing. */
export function ContinuePage({ id }: { id: string }) {
  const [search] = useSearchParams();
  const { data, error } = useQuery(applicationSignInQuery(id));
  if (error) {
    return (
      <StandalonePage title={copy.expiredTitle}>
        <Problem title={copy.expiredTitle} error={error} />
      </StandalonePage>
    );
  }
  const step = search.get('step');
  const name = data?.applicationName ?? '…';
  if (step === 'refused') return <Refused id={id} name={name} />;
  if (step === 'prove') return <Prove id={id} name={name} />;
  return <GoOn id={id} />;
}

/** Asks the service first: a session that has ended opens the sign-in dialog. */
function GoOn({ id }: { id: string }) {
  const state = useSession();
  const isActive = state.kind === 'active' && restrictionOf(state) === undefined;
  const { isSuccess } = useQuery({
    queryKey: ['sign-in-checked', id, state.kind],
    queryFn: async ({ signal }) => (await rollcall.call('getMe', { signal })).body.data.id,
    enabled: isActive,
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (isSuccess && isActive) leaveTo(id, 'continue');
  }, [isSuccess, isActive, id]);
  return (
    <StandalonePage title={copy.title}>
      <Group role="status" wrap="nowrap">
        <Loader size="sm" aria-hidden />
        <Text>{copy.going}</Text>
      </Group>
    </StandalonePage>
  );
}

function Prove({ id, name }: { id: string; name: string }) {
  const ask = async () => {
    if (await askForProof()) leaveTo(id, 'continue');
  };
  return (
    <Step title={copy.proofTitle} text={copy.proof(name)}>
      <Button onClick={() => void ask()} autoFocus>
        {copy.confirm}
      </Button>
      <Button variant="default" onClick={() => leaveTo(id, 'abort')}>
        {copy.back}
      </Button>
    </Step>
  );
}

function Refused({ id, name }: { id: string; name: string }) {
  const [, setSearch] = useSearchParams();
  const chooseAnother = async () => {
    await signOut(); // before the page changes: it would lead on as the same user
    setSearch({}, { replace: true });
  };
  return (
    <Step title={copy.refusedTitle(name)} text={copy.refused}>
      <Button onClick={() => leaveTo(id, 'abort')} autoFocus>
        {copy.back}
      </Button>
      <Button variant="default" onClick={() => void chooseAnother()}>
        {copy.other}
      </Button>
    </Step>
  );
}

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <StandalonePage title={title}>
      <Stack>
        <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <Text>{text}</Text>
        {children}
      </Stack>
    </StandalonePage>
  );
}
