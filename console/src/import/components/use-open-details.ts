import { useState } from 'react';

/** The rows whose details are shown. */
export function useOpenDetails() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (row: number) => {
    const next = new Set(open);
    if (!next.delete(row)) next.add(row);
    setOpen(next);
  };
  return { isOpen: (row: number) => open.has(row), toggle };
}
