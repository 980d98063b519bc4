import type { AttributeType } from '../../contract/attributes.js';
import { attributeLimits } from '../../contract/limits.js';
import { type Parameter, textArray } from '../sql.js';

/** What the value of an attribute has to be. Values are in the form in which they are stored, as texts. */
export interface AttributeFilter extends AttributeKey {
  /** Any of them. */
  readonly values?: readonly string[];
  /** Both are included. Of numbers and dates. */
  readonly from?: string;
  readonly to?: string;
  /** Without any of the others. */
  readonly isSet?: boolean;
}

/** An attribute to filter or sort by. */
export interface AttributeKey {
  readonly attributeId: number;
  readonly type: AttributeType;
}

/** Conditions on the users table. */
export function storedAttributeConditions(
  filters: readonly AttributeFilter[],
  table: string,
  parameter: Parameter,
): string[] {
  return filters.flatMap((filter) => {
    const { attributeId, type, values, isSet } = filter;
    const all = `${table}.attributes`;
    const conditions = rangeConditions(filter, storedValue(filter, table), parameter);
    if (values && type === 'list')
      conditions.push(`${all} -> '${attributeId}' ?| ${list(values, parameter)}`);
    else if (values) conditions.push(`${all} ->> '${attributeId}' = ANY (${list(values, parameter)})`);
    if (isSet !== undefined) conditions.push(`(${all} ? '${attributeId}') IS ${isSet ? '' : 'NOT '}TRUE`);
    return conditions;
  });
}

/** The value as it is compared and sorted. A long text is cut like in the index. */
export function storedValue({ attributeId, type }: AttributeKey, table: string): string {
  const text = `${table}.attributes ->> '${attributeId}'`;
  return type === 'number' ? `(${text})::numeric` : `left(${text}, ${attributeLimits.listedLength})`;
}

/** How the listed values are found: for all users who match at once, or for one user after the other. */
export type AttributeLookup = 'together' | 'one by one';

/** Conditions on users who are listed. */
export function listedAttributeConditions(
  filters: readonly AttributeFilter[],
  table: string,
  parameter: Parameter,
  lookup: AttributeLookup,
): string[] {
  return filters.map((filter) => {
    const { attributeId, isSet } = filter;
    const ofUser = `FROM listed_attributes AS listed
      WHERE listed.user_serial = ${table}.serial AND listed.attribute_id = ${attributeId}`;
    if (isSet === false) return `NOT EXISTS (SELECT ${ofUser})`;
    if (lookup === 'together') {
      return `${table}.serial IN (SELECT user_serial FROM listed_attributes AS listed
        WHERE ${listedConditions(filter, parameter)})`;
    }
    // A scalar subquery never becomes a join over all users, and no index has this expression of the value, so that the
    // planner looks for the user among the values of the user instead of among all values of a range.
    const value = filter.type === 'number' ? '(listed.number + 0)' : "(listed.value || '')";
    return `(SELECT true ${ofUser} AND ${valueConditions(filter, value, parameter)} LIMIT 1) IS TRUE`;
  });
}

/** What a filter other than `isSet: false` says about a row `listed`. */
export function listedConditions(filter: AttributeFilter, parameter: Parameter): string {
  const value = listedValue(filter);
  return `listed.attribute_id = ${filter.attributeId} AND ${valueConditions(filter, value, parameter)}`;
}

/** Rows of one value are in the order of an index only if there is no array to look up. */
function valueConditions(filter: AttributeFilter, value: string, parameter: Parameter): string {
  const { values } = filter;
  const conditions = rangeConditions(filter, value, parameter);
  if (values?.length === 1) conditions.push(`listed.value = ${parameter(values[0])}::text`);
  else if (values) conditions.push(`listed.value = ANY (${list(values, parameter)})`);
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** Filters that rows can be found by, those that are likely to leave the fewest users first. */
export function bySelectivity(filters: readonly AttributeFilter[]): AttributeFilter[] {
  const rank = ({ values, isSet }: AttributeFilter) => (values ? 0 : isSet ? 2 : 1);
  return filters.filter(({ isSet }) => isSet !== false).sort((one, other) => rank(one) - rank(other));
}

/** What a row `listed` is sorted by. */
export function listedValue({ type }: AttributeKey): string {
  return type === 'number' ? 'listed.number' : 'listed.value';
}

/** Dates sort like their texts, in every collation. */
function rangeConditions(filter: AttributeFilter, value: string, parameter: Parameter): string[] {
  const { from, to, type } = filter;
  const bound = (text: string) => `${parameter(text)}::${type === 'number' ? 'numeric' : 'text'}`;
  return [
    ...(from === undefined ? [] : [`${value} >= ${bound(from)}`]),
    ...(to === undefined ? [] : [`${value} <= ${bound(to)}`]),
  ];
}

function list(values: readonly string[], parameter: Parameter): string {
  return `${parameter(textArray(values))}::text[]`;
}
