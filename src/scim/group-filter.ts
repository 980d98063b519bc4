import { valuesSelectedBy } from './group-patch.js';
import type { BoundFilter } from './language/bound-filter.js';
import { failed, type ScimFailure } from './language/outcome.js';
import { attributeNamed, type ScimAttribute } from './language/schema.js';
import { groupSchema } from './schemas.js';

/** What a filter says about members: one of these values is among them. Undefined if it says something else. */
export function membersMeant(filter: BoundFilter): 'nothing' | readonly string[] | undefined {
  if (!('steps' in filter)) return 'nothing';
  const [first, ...rest] = filter.steps;
  if (first.name !== 'members') return 'nothing';
  const [value, ...others] = rest;
  if (filter.kind === 'element') return rest.length === 0 ? valuesSelectedBy(filter.filter) : undefined;
  if (!value || others.length > 0) return undefined;
  return valuesSelectedBy({ ...filter, steps: [value] });
}

/** The members of all groups are not compared one by one. */
export function membersProblem(filter: BoundFilter): ScimFailure | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.map(membersProblem).find((each) => each !== undefined);
    case 'not':
      return membersProblem(filter.filter);
    default:
      return membersMeant(filter)
        ? undefined
        : failed('invalidFilter', 'Groups can be filtered by members with: members.value eq "<id>"');
  }
}

const id = attributeNamed('id', groupSchema.attributes) as ScimAttribute;

/** One of the groups with these IDs. */
export function oneOfGroups(ids: readonly string[]): BoundFilter {
  const filters = ids.map(
    (operand): BoundFilter => ({ kind: 'compare', steps: [id], operator: 'eq', operand }),
  );
  return { kind: 'or', filters: filters.length > 0 ? filters : [noGroup] };
}

/** No ID is empty. */
const noGroup: BoundFilter = { kind: 'compare', steps: [id], operator: 'eq', operand: '' };
