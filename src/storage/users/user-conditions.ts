import type { Role } from '../../contract/scopes.js';
import { type Parameter, plainArray, textArray } from '../sql.js';
import { type AttributeFilter, storedAttributeConditions } from './attribute-conditions.js';

/** Which users to list. All filters must match; a list matches with any of its values. */
export interface UserFilters {
  readonly serials?: readonly string[];
  readonly employeeIDs?: readonly string[];
  /** In the form used for comparing usernames. */
  readonly usernames?: readonly string[];
  readonly isActive?: boolean;
  readonly organizationSerials?: readonly string[];
  readonly notOrganizationSerials?: readonly string[];
  readonly hasOrganization?: boolean;
  readonly tagSerials?: readonly string[];
  readonly notTagSerials?: readonly string[];
  readonly hasTags?: boolean;
  readonly managers?: ManagerFilter;
  readonly hasManager?: boolean;
  /** Of users who have a manager: false if that user is inactive, was removed or erased. */
  readonly managerIsActive?: boolean;
  readonly roles?: readonly RoleFilter[];
  readonly notRoles?: readonly RoleFilter[];
  readonly mustChangePassword?: boolean;
  readonly neverSignedIn?: boolean;
  /** ISO times; `since` is included, `until` is not. */
  readonly createdSince?: string;
  readonly createdUntil?: string;
  readonly updatedSince?: string;
  readonly updatedUntil?: string;
  /** At least one. */
  readonly attributes?: readonly AttributeFilter[];
}

/** Whose direct reports to list. */
export interface ManagerFilter {
  readonly serials: readonly string[];
  /** Whoever has them now. */
  readonly employeeIDs: readonly string[];
}

/** "none" stands for users without a role. */
export type RoleFilter = Role | 'none';

/** Only the users table has managers, and an index that finds their reports. */
export function isByManager({ managers, managerIsActive }: UserFilters): boolean {
  return managers !== undefined || managerIsActive !== undefined;
}

/** The conditions on columns that the users table and the listing have in common. */
export function listingConditions(filters: UserFilters, table: string, parameter: Parameter): string[] {
  const conditions: string[] = [];
  const list = (values: readonly string[]) => `${parameter(textArray(values))}::text[]`;
  const { isActive, organizationSerials, notOrganizationSerials, hasOrganization } = filters;
  const { tagSerials, notTagSerials, hasTags, hasManager } = filters;
  if (filters.serials) conditions.push(`${table}.serial = ANY (${serialList(filters.serials, parameter)})`);
  if (isActive !== undefined) conditions.push(`${isActive ? '' : 'NOT '}${table}.is_active`);
  if (organizationSerials) {
    conditions.push(`${table}.organization_serial = ANY (${list(organizationSerials)})`);
  }
  if (notOrganizationSerials) {
    conditions.push(`(${table}.organization_serial <> ALL (${list(notOrganizationSerials)})) IS NOT FALSE`);
  }
  if (hasOrganization !== undefined) {
    conditions.push(`${table}.organization_serial IS ${hasOrganization ? 'NOT ' : ''}NULL`);
  }
  if (tagSerials) conditions.push(`${table}.tag_serials && ${list(tagSerials)}`);
  if (notTagSerials) conditions.push(`NOT ${table}.tag_serials && ${list(notTagSerials)}`);
  if (hasTags !== undefined) conditions.push(`${table}.tag_serials ${hasTags ? '<>' : '='} '{}'`);
  if (hasManager !== undefined) {
    const isReport = table === 'users' ? 'users.manager_serial IS NOT NULL' : `${table}.has_manager`;
    conditions.push(`${hasManager ? '' : 'NOT '}${isReport}`);
  }
  const { createdSince, createdUntil } = filters;
  if (createdSince) conditions.push(`${table}.serial >= ${parameter(firstSerialAt(createdSince))}::uuid`);
  if (createdUntil) conditions.push(`${table}.serial < ${parameter(firstSerialAt(createdUntil))}::uuid`);
  conditions.push(...accountConditions(filters, table, parameter));
  return conditions;
}

/** The conditions on other tables. */
function accountConditions(filters: UserFilters, table: string, parameter: Parameter): string[] {
  const conditions: string[] = [];
  const { roles, notRoles, mustChangePassword, neverSignedIn } = filters;
  if (roles) conditions.push(roleCondition(roles, table, parameter));
  if (notRoles) conditions.push(`NOT (${roleCondition(notRoles, table, parameter)})`);
  if (mustChangePassword !== undefined) {
    conditions.push(
      `${mustChangePassword ? 'NOT ' : ''}EXISTS (SELECT FROM credentials WHERE user_serial = ${table}.serial AND NOT must_change)`,
    );
  }
  if (neverSignedIn !== undefined) {
    conditions.push(
      `${neverSignedIn ? 'NOT ' : ''}EXISTS (SELECT FROM signed_in_users WHERE user_serial = ${table}.serial)`,
    );
  }
  return conditions;
}

function roleCondition(roles: readonly RoleFilter[], table: string, parameter: Parameter): string {
  const held = roles.filter((role) => role !== 'none');
  const conditions: string[] = [];
  if (held.length > 0) {
    conditions.push(
      `${table}.serial IN (SELECT user_serial FROM roles WHERE role = ANY (${parameter(textArray(held))}::text[]))`,
    );
  }
  if (held.length < roles.length) conditions.push(`${table}.serial NOT IN (SELECT user_serial FROM roles)`);
  return conditions.length === 0 ? 'false' : conditions.join(' OR ');
}

/** All conditions, on the users table alone. */
export function conditionsOnUsers(filters: UserFilters, parameter: Parameter): string[] {
  return [
    ...userConditions(filters, 'users', parameter),
    ...listingConditions(filters, 'users', parameter),
    ...storedAttributeConditions(filters.attributes ?? [], 'users', parameter),
  ];
}

/** The conditions on columns that only the users table has. */
export function userConditions(filters: UserFilters, table: string, parameter: Parameter): string[] {
  const conditions: string[] = [];
  const { employeeIDs, usernames, updatedSince, updatedUntil } = filters;
  if (employeeIDs)
    conditions.push(`${table}.employee_id = ANY (${parameter(textArray(employeeIDs))}::text[])`);
  if (usernames)
    conditions.push(`lower(${table}.username) = ANY (${parameter(textArray(usernames))}::text[])`);
  if (updatedSince) conditions.push(`${table}.updated_at >= ${parameter(updatedSince)}::timestamptz`);
  if (updatedUntil) conditions.push(`${table}.updated_at < ${parameter(updatedUntil)}::timestamptz`);
  conditions.push(...managerConditions(filters, table, parameter));
  return conditions;
}

function managerConditions(filters: UserFilters, table: string, parameter: Parameter): string[] {
  const { managers, managerIsActive } = filters;
  const conditions: string[] = [];
  if (managers) {
    const byEmployeeID = `SELECT serial FROM users AS manager
      WHERE employee_id = ANY (${parameter(textArray(managers.employeeIDs))}::text[])`;
    conditions.push(
      `${table}.manager_serial = ANY (ARRAY (${byEmployeeID}) || ${serialList(managers.serials, parameter)})`,
    );
  }
  if (managerIsActive !== undefined) {
    conditions.push(
      `${table}.manager_serial IS NOT NULL AND ${managerIsActive ? '' : 'NOT '}EXISTS (
        SELECT FROM users AS manager WHERE manager.serial = ${table}.manager_serial AND manager.is_active)`,
    );
  }
  return conditions;
}

export function serialList(serials: readonly string[], parameter: Parameter): string {
  return `${parameter(plainArray(serials))}::uuid[]`;
}

export function allOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : conditions.map((condition) => `(${condition})`).join(' AND ');
}

export function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : conditions.join(' OR ');
}

/** Serials start with their creation time, so users created at a time or later have this serial or a greater one. */
function firstSerialAt(time: string): string {
  const hex = Math.max(new Date(time).getTime(), 0).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
