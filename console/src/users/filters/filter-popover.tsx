import { Popover } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

interface FilterPopoverProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** Opens and closes the popover. */
  readonly button: ReactElement;
  readonly padding?: number | string;
  readonly children: ReactNode;
}

const width = 260;

export function FilterPopover({
  isOpen,
  onOpenChange,
  button,
  padding = 'sm',
  children,
}: FilterPopoverProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={onOpenChange}
      position="bottom-start"
      width={width}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown p={padding}>{children}</Popover.Dropdown>
    </Popover>
  );
}
