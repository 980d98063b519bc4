import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';
import { focusPage } from './focus-page.js';

type DialogProps = Pick<
  ModalProps,
  'title' | 'onClose' | 'size' | 'children' | 'withCloseButton' | 'closeOnClickOutside' | 'closeOnEscape'
>;

/** Open while it is mounted. */
export function Dialog(props: DialogProps) {
  useFocusReturn();
  return <Modal {...props} opened />;
}

/** Returns the focus to the opener, or to the page if the opener is gone, as after a deletion. */
function useFocusReturn(): void {
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
      else focusPage();
    };
  }, []);
}
