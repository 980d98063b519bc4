import { type RefObject, useEffect, useState } from 'react';

/** Moves to the first field that something is wrong with, once the form tells what. */
export function useFocusOnProblem(form: RefObject<HTMLFormElement | null>): () => void {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, times]);
  return () => setTimes((now) => now + 1);
}
