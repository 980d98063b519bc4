import { UnstyledButton } from '@mantine/core';
import { useId } from 'react';
import { useSearchParams } from 'wouter';
import { formatNumber } from '../../copy/format.js';
import styles from './import.module.css';

export interface Counter<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly value: number;
  readonly color?: string | undefined;
}

interface CountersProps<Name extends string> {
  readonly label: string;
  readonly counters: readonly Counter<Name>[];
  readonly value: Name;
}

/** How many rows there are of each kind. A counter shows its rows. Zeros are left out, except for the first. */
export function Counters<Name extends string>({ label, counters, value }: CountersProps<Name>) {
  const id = useId();
  const [, setSearch] = useSearchParams();
  const show = (name: Name) =>
    setSearch(
      (search) => {
        search.set('show', name);
        return search;
      },
      { replace: true },
    );
  const shown = counters.filter(
    (counter, index) => index === 0 || counter.value > 0 || counter.name === value,
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-labelledby={id} className={styles.counters}>
      <span id={id} className={styles.countersLabel}>
        {label}
      </span>
      {shown.map((counter) => (
        <UnstyledButton
          key={counter.name}
          className={styles.counter}
          aria-pressed={counter.name === value}
          onClick={() => show(counter.name)}
        >
          <span className={styles.counterValue} style={{ color: counter.color }}>
            {formatNumber(counter.value)}
          </span>{' '}
          <span>{counter.label}</span>
        </UnstyledButton>
      ))}
    </div>
  );
}

/** The chosen filter is part of the URL, like the step. */
export function useShown<Name extends string>(names: readonly Name[], initial: Name): Name {
  const [search] = useSearchParams();
  return names.find((name) => name === search.get('show')) ?? initial;
}
