import { Checkbox } from '@mantine/core';
import { useHasParts } from '../../components/directory.js';
import { usersCopy } from '../../copy/copy.js';
import type { SerialsFilter } from './user-filters.js';

interface IncludePartsProps {
  readonly filter: SerialsFilter;
  readonly onChange: (filter: SerialsFilter) => void;
}

/** Offered if one of the organizations has parts, or if it was chosen before they were removed. */
export function IncludeParts({ filter, onChange }: IncludePartsProps) {
  const { includesParts = false, ...exact } = filter;
  const hasParts = useHasParts(filter.values);
  if (!hasParts && !includesParts) return null;
  return (
    <Checkbox
      label={usersCopy.filter.includeParts}
      checked={includesParts}
      onChange={(event) => onChange(event.currentTarget.checked ? { ...exact, includesParts: true } : exact)}
    />
  );
}
