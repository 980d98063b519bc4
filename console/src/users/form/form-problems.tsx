import { Anchor } from '@mantine/core';
import { isRollcallError, type ServiceError } from '@rollcall/client';
import { type RefObject, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useUserName } from '../../components/actor.js';
import { fieldErrorMessage } from '../../components/error-message.js';
import { userCopy, userPageCopy } from '../../copy/copy.js';
import { type FieldProblems, type FormField, fieldsConcerned, holderOf } from './field-problems.js';

export interface FormProblems {
  /** Errors of the service, and problems of fields that the user has left. */
  readonly shown: FieldProblems;
  /** The serial of the user who already has the value of the field. */
  readonly holders: FieldProblems;
  readonly touch: (field: FormField) => void;
  readonly touchAll: () => void;
  /** Hides the error of the service while the user edits the field. */
  readonly clearError: (field: FormField) => void;
  /** Shows errors of the service next to their fields; false if they are about none. */
  readonly showError: (...errors: readonly unknown[]) => boolean;
  readonly reset: () => void;
}

const everyField = 'all';

export function useFormProblems(found: FieldProblems): FormProblems {
  const [touched, setTouched] = useState<readonly FormField[] | typeof everyField>([]);
  const [refused, setRefused] = useState<FieldProblems>({});
  const [holders, setHolders] = useState<FieldProblems>({});
  const isTouched = (field: FormField) => touched === everyField || touched.includes(field);
  const isDue = (field: FormField) => {
    // After leaving the email empty, the user may be about to enter a phone number.
    const isAboutBoth = found[field] === userCopy.rules.contactRequired;
    return isAboutBoth ? isTouched('email') && isTouched('phone') : isTouched(field);
  };
  const due = Object.entries(found).filter(([field]) => isDue(field as FormField));
  return {
    shown: { ...Object.fromEntries(due), ...refused },
    holders,
    touch: (field) => setTouched((now) => (now === everyField ? now : [...new Set([...now, field])])),
    touchAll: () => setTouched(everyField),
    clearError: (field) => {
      const isContact = field === 'email' || field === 'phone';
      const edited = isContact ? ['email', 'phone'] : [field];
      const withoutEdited = (now: FieldProblems) =>
        Object.fromEntries(Object.entries(now).filter(([name]) => !edited.includes(name)));
      setRefused(withoutEdited);
      setHolders(withoutEdited);
    },
    showError: (...errors) => {
      const found = errors.flatMap((error) => fieldsConcerned(error).map((field) => ({ field, error })));
      const holding = found.filter(({ error }) => holderOf(error) !== undefined);
      setRefused(Object.fromEntries(found.map(({ field, error }) => [field, messageOf(error)])));
      setHolders(Object.fromEntries(holding.map(({ field, error }) => [field, holderOf(error)])));
      return found.length > 0;
    },
    reset: () => {
      setTouched([]);
      setRefused({});
      setHolders({});
    },
  };
}

function messageOf(error: unknown): string {
  return isRollcallError(error) ? fieldErrorMessage(error as ServiceError) : '';
}

/** Focuses the first invalid field after the form has rendered its problems. */
export function useFocusOnProblem(form: RefObject<HTMLFormElement | null>): () => void {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, times]);
  return () => setTimes((now) => now + 1);
}

interface ProblemTextProps {
  readonly text: string;
  /** The serial of the user who has the value already. */
  readonly holder?: string | undefined;
}

export function ProblemText({ text, holder }: ProblemTextProps) {
  return (
    <>
      {text}
      {holder && (
        <>
          {' '}
          <HolderLink serial={holder} />
        </>
      )}
    </>
  );
}

function HolderLink({ serial }: { serial: string }) {
  const { data: name } = useUserName(serial);
  return (
    <Anchor component={Link} href={`/users/${serial}`} inherit underline="always">
      {name ? userPageCopy.viewUser(name) : userCopy.openHolder}
    </Anchor>
  );
}
