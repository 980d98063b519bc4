import { Modal, type ModalProps } from '@mantine/core';
import { texts } from '../texts/index.js';

type DialogProps = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children'>;

/** A dialog over the page. The focus moves into it, and back to where it came from when it closes. */
export function Dialog(props: DialogProps) {
  return (
    <Modal
      {...props}
      centered
      closeButtonProps={{ 'aria-label': texts.common.close }}
      attributes={{ header: { role: 'presentation' } }} // or it counts as a second banner of the page
    />
  );
}
