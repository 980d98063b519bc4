import { isRollcallError } from '@rollcall/client';
import { useEffect, useState } from 'react';
import { askForPasskey, stopAutofill, supportsAutofill } from '../session/passkeys.js';
import { signInWithPasskey } from '../session/sign-in.js';

/** Sooner than the challenge of the service ends. */
const renewMs = 4 * 60_000;

/** Offers passkeys among the names that the browser fills in, as long as the form is shown. */
export function usePasskeyAutofill(): { readonly error: unknown } {
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    let isShown = true;
    let isOffered = false;
    const offer = async () => {
      if (!(await supportsAutofill()) || !isShown) return;
      isOffered = true;
      try {
        await signInWithPasskey(await askForPasskey({ autofill: true }));
      } catch (problem) {
        // Whoever wants to use a passkey although it can't be offered is told when they press the button.
        if (isShown && isRollcallError(problem, 'ACCESS_PASSKEY_REFUSED', 'ACCESS_SIGN_IN_DELAYED'))
          setError(problem);
      }
    };
    void offer();
    const renewing = setInterval(() => !document.hidden && void offer(), renewMs);
    return () => {
      isShown = false;
      clearInterval(renewing);
      if (isOffered) void stopAutofill();
    };
  }, []);
  return { error };
}
