import { Modal } from '@mantine/core';
import { sessionCopy } from '../copy/copy.js';
import { restrictionOf, type SessionState } from '../session/session.js';
import { Missing, missingTitles } from './missing-step.js';
import { SignInForm } from './sign-in-page.js';

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

/** Above the page, which keeps its input. */
export function SessionDialogs({ state }: { state: Exclude<SessionState, { kind: 'none' }> }) {
  const { kind, session } = state;
  const restriction = restrictionOf(state);
  return (
    <>
      <Modal {...blocking} opened={kind === 'ended'} title={sessionCopy.endedTitle}>
        <SignInForm hint={sessionCopy.endedHint} signInName={session.signInName ?? ''} />
      </Modal>
      <Modal
        {...blocking}
        opened={restriction !== undefined}
        title={restriction && missingTitles[restriction]}
      >
        {restriction && <Missing restriction={restriction} />}
      </Modal>
    </>
  );
}
