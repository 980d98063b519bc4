import { Loader, Paper, Text, Title } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { outageCopy } from '../copy/copy.js';
import { isProofAsked, refuseProof, useIsProofAsked } from '../session/proof.js';
import {
  getSession,
  type Restriction,
  restrictionOf,
  type SessionState,
  useSession,
} from '../session/session.js';
import { forgetExpiredWork, refreshProfile } from '../session/sign-in.js';
import { Missing, missingTitles } from './missing-step.js';
import css from './outage-notice.module.css';
import { SignInPage } from './sign-in-page.js';
import { StandalonePage } from './standalone-page.js';

const loadDialogs = () => import('./session-dialogs.js');
const loadProof = () => import('./prove-dialog.js');
const SessionDialogs = lazy(async () => ({ default: (await loadDialogs()).SessionDialogs }));
const ProveDialog = lazy(async () => ({ default: (await loadProof()).ProveDialog }));

/** After the page, so that they are there when the service is not. */
const prefetchMs = 2_000;

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
    forgetExpiredWork();
    return onlineManager.subscribe((isOnline) => isOnline && void refreshProfile());
  }, []);
  return (
    <>
      {state.kind === 'none' ? <SignInPage /> : <Inside state={state}>{children}</Inside>}
      <OutageNotice />
    </>
  );
}

interface InsideProps {
  readonly state: Exclude<SessionState, { kind: 'none' }>;
  readonly children: ReactNode;
}

/** Expired sessions are renewed above the page, so that no input is lost. */
function Inside({ state, children }: InsideProps) {
  const restriction = restrictionOf(state);
  const [isInside, setIsInside] = useState(restriction === undefined);
  if (!isInside && restriction === undefined) setIsInside(true);
  // They stay, because they give the focus back when they close.
  const [hasDialogs, setHasDialogs] = useState(false);
  if (isInside && isInterrupted(state) && !hasDialogs) setHasDialogs(true);
  useEffect(() => {
    const prefetch = setTimeout(
      () => void Promise.all([loadDialogs(), loadProof()]).catch(() => {}),
      prefetchMs,
    );
    return () => clearTimeout(prefetch);
  }, []);
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
      {hasDialogs && (
        <Suspense>
          <SessionDialogs state={state} />
        </Suspense>
      )}
      {proof}
    </>
  );
}

/** What is missing after a sign-in: the second step, a password to replace the one that was sent, or a first factor. */
function BeforeEntering({ restriction }: { restriction: Restriction }) {
  const content = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone. Dialogs set the focus themselves.
  useEffect(() => content.current?.querySelector('input')?.focus(), []);
  return (
    <StandalonePage title={missingTitles[restriction]}>
      <div ref={content}>
        <Title order={1} size="h3" mb="xs">
          {missingTitles[restriction]}
        </Title>
        <Missing restriction={restriction} />
      </div>
    </StandalonePage>
  );
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
