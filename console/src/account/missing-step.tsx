import { Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { commonCopy, sessionCopy } from '../copy/copy.js';
import { loadAccountCopy } from '../copy/load-copy.js';
import type { Restriction } from '../session/session.js';

// Loaded on demand: few people see them, and rarely.
const MustChangeForm = lazy(async () => ({
  default: (await import('./must-change-password.js')).MustChangeForm,
}));
const Enrolment = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./enrolment.js')).Enrolment };
});
const SecondStep = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./second-step.js')).SecondStep };
});

export const missingTitles = {
  factor: sessionCopy.secondStepTitle,
  password: sessionCopy.mustChangeTitle,
  enrolment: sessionCopy.enrolTitle,
} as const satisfies Record<Restriction, string>;

/** The second step, a password to replace the one that was sent, or a first factor. */
export function Missing({ restriction }: { restriction: Restriction }) {
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
