import { isRollcallError, type ServiceError } from '@rollcall/client';
import { useState } from 'react';
import { errorMessage } from '../../components/error-message.js';
import { userCopy } from '../../copy/user.js';
import { type FieldProblems, type FormField, fieldsConcerned, holderOf } from './field-problems.js';

export interface FormProblems {
  /** Told beside the field: what the service refused, and what is wrong with a field that somebody has left. */
  readonly shown: FieldProblems;
  /** The serial of the user who has the value of the field, if that is why the service refused it. */
  readonly holders: FieldProblems;
  readonly touch: (field: FormField) => void;
  readonly touchAll: () => void;
  /** A field is being mended. */
  readonly forgive: (field: FormField) => void;
  /** Puts an error of the service beside the fields that it is about; false if it is about none. */
  readonly refuse: (error: unknown) => boolean;
  readonly reset: () => void;
}

const everyField = 'all';

export function useFormProblems(found: FieldProblems): FormProblems {
  const [touched, setTouched] = useState<readonly FormField[] | typeof everyField>([]);
  const [refused, setRefused] = useState<FieldProblems>({});
  const [holders, setHolders] = useState<FieldProblems>({});
  const isTouched = (field: FormField) => touched === everyField || touched.includes(field);
  const isDue = (field: FormField) => {
    // Who has left the email empty may be about to give a phone.
    const isAboutBoth = found[field] === userCopy.rules.contactRequired;
    return isAboutBoth ? isTouched('email') && isTouched('phone') : isTouched(field);
  };
  const due = Object.entries(found).filter(([field]) => isDue(field as FormField));
  return {
    shown: { ...Object.fromEntries(due), ...refused },
    holders,
    touch: (field) => setTouched((now) => (now === everyField ? now : [...new Set([...now, field])])),
    touchAll: () => setTouched(everyField),
    forgive: (field) => {
      const isContact = field === 'email' || field === 'phone';
      const mended = isContact ? ['email', 'phone'] : [field];
      const withoutMended = (now: FieldProblems) =>
        Object.fromEntries(Object.entries(now).filter(([name]) => !mended.includes(name)));
      setRefused(withoutMended);
      setHolders(withoutMended);
    },
    refuse: (error) => {
      const fields = fieldsConcerned(error);
      const message = isRollcallError(error) ? errorMessage(error as ServiceError, error.detail) : '';
      const holder = holderOf(error);
      setRefused(Object.fromEntries(fields.map((field) => [field, message])));
      setHolders(holder === undefined ? {} : Object.fromEntries(fields.map((field) => [field, holder])));
      return fields.length > 0;
    },
    reset: () => {
      setTouched([]);
      setRefused({});
      setHolders({});
    },
  };
}
