import { Input, SegmentedControl } from '@mantine/core';
import { usersCopy } from '../../copy/copy.js';
import type { NoSerialsFilter, RolesFilter, SerialsFilter, UserFilter } from './user-filters.js';

const copy = usersCopy.filter;

type Condition = 'is' | 'isNot' | 'isNone';

/** Filters of which users have some of the values, none of them, or no value at all. */
type ConditionalFilter = SerialsFilter | NoSerialsFilter | RolesFilter;

interface FilterConditionProps {
  readonly filter: ConditionalFilter;
  readonly onChange: (filter: UserFilter) => void;
}

export function FilterCondition({ filter, onChange }: FilterConditionProps) {
  const { kind } = filter;
  // "No role" is one of the roles.
  const isNone = kind === 'role' ? [] : [{ value: 'isNone', label: copy.none[kind] }];
  return (
    <>
      <Input.Label labelElement="div">{copy.kinds[kind]}</Input.Label>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={copy.condition}
        data={[{ value: 'is', label: copy.is }, { value: 'isNot', label: copy.isNot }, ...isNone]}
        value={conditionOf(filter)}
        onChange={(chosen) => onChange(withCondition(filter, chosen))}
      />
    </>
  );
}

function conditionOf(filter: ConditionalFilter): Condition {
  if ('isNone' in filter) return 'isNone';
  return filter.isNot ? 'isNot' : 'is';
}

function withCondition(filter: ConditionalFilter, condition: string): UserFilter {
  const isNot = condition === 'isNot';
  if (filter.kind === 'role') return { ...filter, isNot };
  const { kind } = filter;
  if (condition === 'isNone') return { kind, isNone: true };
  return { kind, isNot, values: 'values' in filter ? filter.values : [] };
}
