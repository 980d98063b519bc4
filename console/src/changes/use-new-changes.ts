import { useEffect, useState } from 'react';
import { onLiveChange } from '../live/live-store.js';
import { type ChangeFilters, matchesFilters } from './change-filters.js';

/** More are not counted. */
export const countedMax = 99;

/** How many changes have happened since the list was loaded, and a function to call when it is loaded again. */
export function useNewChanges(filters: ChangeFilters): readonly [count: number, reset: () => void] {
  const key = JSON.stringify(filters);
  const [counted, setCounted] = useState({ key, count: 0 });
  useEffect(() => {
    const wanted = JSON.parse(key) as ChangeFilters;
    setCounted({ key, count: 0 });
    return onLiveChange((change) => {
      if (!matchesFilters(wanted, change)) return;
      setCounted((now) => (now.count > countedMax ? now : { key, count: now.count + 1 }));
    });
  }, [key]);
  return [counted.key === key ? counted.count : 0, () => setCounted({ key, count: 0 })];
}
