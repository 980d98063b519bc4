import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';

interface FilterProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly copy: Readonly<Record<Name, string>>;
  readonly value: Name;
}

/** Which rows are shown is in the address, beside the step. */
export function Filter<Name extends string>({ label, names, copy, value }: FilterProps<Name>) {
  const [, setSearch] = useSearchParams();
  return (
    <SegmentedControl
      transitionDuration={0}
      aria-label={label}
      data={names.map((name) => ({ value: name, label: copy[name] }))}
      value={value}
      onChange={(show) =>
        setSearch(
          (search) => {
            search.set('show', show);
            return search;
          },
          { replace: true },
        )
      }
    />
  );
}

export function useFilter<Name extends string>(names: readonly Name[], usual: Name): Name {
  const [search] = useSearchParams();
  return names.find((name) => name === search.get('show')) ?? usual;
}
