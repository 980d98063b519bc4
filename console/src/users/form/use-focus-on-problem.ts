import { type RefObject, useEffect, useState } from 'react';

/** Focuses the first invalid field after the form has rendered its problems. */
export function useFocusOnProblem(form: RefObject<HTMLFormElement | null>): () => void {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, times]);
  return () => setTimes((now) => now + 1);
}
