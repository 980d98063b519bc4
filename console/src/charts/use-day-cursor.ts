import { type KeyboardEvent, useState } from 'react';

export interface DayCursor {
  /** The day whose values are shown. */
  readonly day: number | undefined;
  readonly point: (day: number | undefined) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Points at a day of a chart, by mouse or keyboard. */
export function useDayCursor(count: number, onOpen: ((day: number) => void) | undefined): DayCursor {
  const [day, point] = useState<number>();
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayAfterKey(event.key, day, count);
    if (next === undefined) {
      if (event.key === 'Enter' && day !== undefined && onOpen) onOpen(day);
      if (event.key === 'Escape') point(undefined);
      return;
    }
    event.preventDefault();
    point(next);
  };
  return { day: day === undefined ? undefined : Math.min(day, count - 1), point, onKeyDown };
}

/** Undefined for keys that don't move. */
export function dayAfterKey(key: string, day: number | undefined, count: number): number | undefined {
  const last = count - 1;
  const from = day ?? count;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(from - 1, 0);
    case 'ArrowRight':
      return Math.min((day ?? -1) + 1, last);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
