import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';

type DialogProps = Pick<
  ModalProps,
  'title' | 'onClose' | 'size' | 'children' | 'withCloseButton' | 'closeOnClickOutside' | 'closeOnEscape'
>;

/** A dialog that is open as long as it is there. */
export function Dialog(props: DialogProps) {
  useFocusReturn();
  return <Modal {...props} opened />;
}

/** To where it came from, or to the page if that is gone, such as the row of what was deleted. */
function useFocusReturn(): void {
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      const page = document.getElementById('content');
      if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
      else if (page) {
        page.tabIndex = -1;
        page.focus();
      }
    };
  }, []);
}
