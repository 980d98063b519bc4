import { useSearchParams } from 'wouter';

/** The filters of a list, which are in the address of the page so that they can be kept and sent to others. */
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
