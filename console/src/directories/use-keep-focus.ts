import { type RefObject, useLayoutEffect, useRef } from 'react';
import { focusPage } from '../components/dialog.js';

/** For a button that may disappear while it has the focus: the page gets it then. */
export function useKeepFocus(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      if (button.current !== null && button.current === document.activeElement) focusPage();
    },
    [],
  );
  return button;
}
