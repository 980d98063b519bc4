import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';

interface RowFilterProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly value: Name;
}

/** The filter is part of the URL, like the step. */
export function RowFilter<Name extends string>({ label, names, labels, value }: RowFilterProps<Name>) {
  const [, setSearch] = useSearchParams();
  return (
    <SegmentedControl
      transitionDuration={0}
      aria-label={label}
      data={names.map((name) => ({ value: name, label: labels[name] }))}
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

export function useRowFilter<Name extends string>(names: readonly Name[], initial: Name): Name {
  const [search] = useSearchParams();
  return names.find((name) => name === search.get('show')) ?? initial;
}
