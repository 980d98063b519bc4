import { Button, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { errorMessageOf } from '../components/error-message.js';
import { sessionCopy } from '../copy/copy.js';
import { adoptSession, announceProof, takeReturnPath } from '../session/provider.js';
import { useSession } from '../session/session.js';
import { SignInPage } from './sign-in-page.js';
import { StandalonePage } from './standalone-page.js';

const facts = new URLSearchParams(location.search);
const problem = facts.get('problem');
const isProof = facts.get('purpose') === 'proof';

/** Where the provider sends the browser back to: in the tab that left for it, or in a window of its own. */
export function SignedInPage() {
  if (isProof) return <Proven />;
  return problem === null ? <Arriving /> : <NotSignedIn code={problem} />;
}

/** The message, and the ways to try again. */
function NotSignedIn({ code }: { code: string }) {
  const { kind } = useSession();
  useEffect(() => {
    if (kind === 'active') location.replace(takeReturnPath() ?? '/');
  }, [kind]);
  return <SignInPage problem={errorMessageOf(code)} />;
}

function Arriving() {
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const arrive = async () => {
      await adoptSession();
      const path = takeReturnPath();
      if (path === undefined) window.close(); // of a page that waits for the session
      location.replace(path ?? '/');
    };
    arrive().catch(() => setHasFailed(true));
  }, []);
  if (hasFailed) return <NotSignedIn code="ACCESS_SSO_FAILED" />;
  return (
    <StandalonePage title={sessionCopy.title}>
      <Loader aria-label={sessionCopy.signIn} />
    </StandalonePage>
  );
}

function Proven() {
  useEffect(() => {
    if (problem !== null) return;
    announceProof();
    window.close();
  }, []);
  return (
    <StandalonePage title={sessionCopy.proveTitle}>
      <Stack>
        <Title order={1} size="h3">
          {problem === null ? sessionCopy.provenTitle : sessionCopy.notProven}
        </Title>
        <Text role="status">{problem === null ? sessionCopy.provenHint : errorMessageOf(problem)}</Text>
        <Button onClick={() => window.close()}>{sessionCopy.closeWindow}</Button>
      </Stack>
    </StandalonePage>
  );
}
