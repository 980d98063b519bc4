import { Loader, Modal, Paper, Text } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { outageCopy, sessionCopy } from '../copy/copy.js';
import { forgetExpiredWork } from '../session/kept-work.js';
import { isProofAsked, refuseProof, useIsProofAsked } from '../session/proof.js';
import { getSession, type SessionState, useSession } from '../session/session.js';
import { refreshProfile } from '../session/sign-in.js';
import css from './outage-notice.module.css';

const loadSignIn = () => import('./sign-in-page.js');
const loadChange = () => import('./must-change-password.js');
const loadProof = () => import('./prove-dialog.js');
const SignInPage = lazy(async () => ({ default: (await loadSignIn()).SignInPage }));
const SignInForm = lazy(async () => ({ default: (await loadSignIn()).SignInForm }));
const MustChangePassword = lazy(async () => ({ default: (await loadChange()).MustChangePassword }));
const MustChangeForm = lazy(async () => ({ default: (await loadChange()).MustChangeForm }));
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
  return state.kind === 'ended' || (state.kind === 'active' && state.session.mustChangePassword);
}

export function SessionGate({ children }: { children: ReactNode }) {
  const state = useSession();
  useEffect(() => {
    void refreshProfile();
    const prefetch = setTimeout(
      () => void Promise.all([loadSignIn(), loadProof()]).catch(() => {}),
      prefetchMs,
    );
    void forgetExpiredWork().catch(() => {}); // a browser that keeps nothing
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
function Inside({ state: { kind, session }, children }: InsideProps) {
  const mustChange = kind === 'active' && session.mustChangePassword;
  const [isInside, setIsInside] = useState(!mustChange);
  const isAskedForProof = useIsProofAsked();
  if (!isInside) {
    return (
      <Suspense>
        <MustChangePassword onChanged={() => setIsInside(true)} />
      </Suspense>
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
      <Modal {...blocking} opened={mustChange} title={sessionCopy.mustChangeTitle}>
        <Suspense>
          <MustChangeForm onChanged={() => {}} />
        </Suspense>
      </Modal>
      {isAskedForProof && (
        <Suspense>
          <ProveDialog />
        </Suspense>
      )}
    </>
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
