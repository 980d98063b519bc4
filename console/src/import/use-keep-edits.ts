import { useEffect } from 'react';
import { useImportState } from './state/store.js';

/** The browser asks before it reloads or closes a page whose edited cells were not sent. */
export function useKeepEdits(): void {
  const { unsentEdits } = useImportState();
  const hasEdits = unsentEdits.size > 0;
  useEffect(() => {
    if (!hasEdits) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasEdits]);
}
