export type Scope =
  | 'users:read'
  | 'users:write'
  | 'access:admin'
  | 'audit:read'
  | 'attributes:sensitive'
  | 'scim';

/** Whoever corrects users sees what they were before. The lists of all changes need `audit:read`. */
export function seesHistory(scopes: readonly Scope[]): boolean {
  return scopes.includes('audit:read') || (scopes.includes('users:read') && scopes.includes('users:write'));
}
