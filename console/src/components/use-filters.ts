import { useSearchParams } from 'wouter';

/** List filters, kept in the URL. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const set = (changes: Readonly<Record<string, string | null>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return { get: (name: string) => params.get(name), set };
}
