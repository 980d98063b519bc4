import { Loader, Modal, Paper, Text, Title } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { commonCopy, outageCopy, sessionCopy } from '../copy/copy.js';
import { loadAccountCopy } from '../copy/load-copy.js';
import { isProofAsked, refuseProof, useIsProofAsked } from '../session/proof.js';
import {
  getSession,
  type Restriction,
  restrictionOf,
  type SessionState,
  useSession,
} from '../session/session.js';
import { forgetExpiredWork, refreshProfile } from '../session/sign-in.js';
import css from './outage-notice.module.css';
import { StandalonePage } from './standalone-page.js';

const loadSignIn = () => import('./sign-in-page.js');
const loadChange = () => import('./must-change-password.js');
const loadProof = () => import('./prove-dialog.js');
const SignInPage = lazy(async () => ({ default: (await loadSignIn()).SignInPage }));
const SignInForm = lazy(async () => ({ default: (await loadSignIn()).SignInForm }));
const MustChangeForm = lazy(async () => ({ default: (await loadChange()).MustChangeForm }));
const ProveDialog = lazy(async () => ({ default: (await loadProof()).ProveDialog }));

/** After the page, so that they are there when the service is not. */
const prefetchMs = 2_000;

// Loaded on demand: few people see them, and rarely.
const Enrolment = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./enrolment.js')).Enrolment };
});
const SecondStep = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./second-step.js')).SecondStep };
});

// Escape in these dialogs must not close a dialog underneath, so this listener runs first.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !(isInterrupted(getSession()) || isProofAsked())) return;
    event.stopImmediatePropagation();
    refuseProof();
  },
  { capture: true },
);

function isInterrupted(state: SessionState): boolean {
  return state.kind === 'ended' || restrictionOf(state) !== undefined;
}

export function SessionGate({ children }: { children: ReactNode }) {
  const state = useSession();
  useEffect(() => {
    void refreshProfile();
    const prefetch = setTimeout(
      () => void Promise.all([loadSignIn(), loadProof()]).catch(() => {}),
      prefetchMs,
    );
    forgetExpiredWork();
    const unsubscribe = onlineManager.subscribe((isOnline) => isOnline && void refreshProfile());
    return () => {
      clearTimeout(prefetch);
      unsubscribe();
    };
  }, []);
  return (
    <>
      {state.kind === 'none' ? (
        <Suspense>
          <SignInPage />
        </Suspense>
      ) : (
        <Inside state={state}>{children}</Inside>
      )}
      <OutageNotice />
    </>
  );
}

interface InsideProps {
  readonly state: Exclude<SessionState, { kind: 'none' }>;
  readonly children: ReactNode;
}

/** Above the dialogs of the page. */
const aboveAll = 1_000;
const blocking = {
  onClose: () => {},
  withCloseButton: false,
  closeOnClickOutside: false,
  closeOnEscape: false,
  zIndex: aboveAll,
  // Hides the page, which stays mounted only to keep its input.
  overlayProps: { backgroundOpacity: 1, color: 'var(--mantine-color-body)' },
} as const;

/** Expired sessions are renewed above the page, so that no input is lost. */
function Inside({ state, children }: InsideProps) {
  const { kind, session } = state;
  const restriction = restrictionOf(state);
  const [isInside, setIsInside] = useState(restriction === undefined);
  if (!isInside && restriction === undefined) setIsInside(true);
  const proof = useIsProofAsked() && (
    <Suspense>
      <ProveDialog />
    </Suspense>
  );
  if (!isInside) {
    return (
      restriction && (
        <>
          <BeforeEntering key={restriction} restriction={restriction} />
          {proof}
        </>
      )
    );
  }
  return (
    <>
      {children}
      <Modal {...blocking} opened={kind === 'ended'} title={sessionCopy.endedTitle}>
        <Suspense>
          <SignInForm hint={sessionCopy.endedHint} signInName={session.signInName ?? ''} />
        </Suspense>
      </Modal>
      <Modal {...blocking} opened={restriction !== undefined} title={restriction && titles[restriction]}>
        {restriction && <Missing restriction={restriction} />}
      </Modal>
      {proof}
    </>
  );
}

const titles = {
  factor: sessionCopy.secondStepTitle,
  password: sessionCopy.mustChangeTitle,
  enrolment: sessionCopy.enrolTitle,
} as const satisfies Record<Restriction, string>;

/** What is missing after a sign-in: the second step, a password to replace the one that was sent, or a first factor. */
function BeforeEntering({ restriction }: { restriction: Restriction }) {
  const content = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone. Dialogs set the focus themselves.
  useEffect(() => content.current?.querySelector('input')?.focus(), []);
  return (
    <StandalonePage title={titles[restriction]}>
      <div ref={content}>
        <Title order={1} size="h3" mb="xs">
          {titles[restriction]}
        </Title>
        <Missing restriction={restriction} />
      </div>
    </StandalonePage>
  );
}

function Missing({ restriction }: { restriction: Restriction }) {
  switch (restriction) {
    case 'factor':
      return (
        <Suspense fallback={<Loader aria-label={commonCopy.loading} />}>
          <SecondStep />
        </Suspense>
      );
    case 'password':
      return (
        <Suspense fallback={<Loader aria-label={commonCopy.loading} />}>
          <MustChangeForm />
        </Suspense>
      );
    case 'enrolment':
      return (
        <Suspense fallback={<Loader aria-label={commonCopy.loading} />}>
          <Enrolment />
        </Suspense>
      );
  }
}

/** Says that the page waits for the service. Nothing else changes, so that the user can read on. */
function OutageNotice() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div className={css.place} role="status">
      {!isOnline && (
        <Paper className={css.notice} withBorder shadow="md" radius="xl">
          <Loader size={14} color="gray" aria-hidden />
          <Text size="sm">{outageCopy.waiting}</Text>
        </Paper>
      )}
    </div>
  );
}
