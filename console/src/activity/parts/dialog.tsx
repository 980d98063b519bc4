import { Modal, type ModalProps } from '@mantine/core';
import { texts } from '../../texts/index.js';

type DialogProps = Pick<
  ModalProps,
  'title' | 'onClose' | 'size' | 'children' | 'withCloseButton' | 'closeOnClickOutside' | 'closeOnEscape'
>;

/** A dialog that is open as long as it is there. */
export function Dialog(props: DialogProps) {
  return (
    <Modal
      {...props}
      opened
      centered
      closeButtonProps={{ 'aria-label': texts.common.close }}
      attributes={{ header: { role: 'presentation' } }} // or it counts as a second banner of the page
    />
  );
}
