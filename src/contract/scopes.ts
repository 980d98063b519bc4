/** What a token can allow. */
export const scopes = [
  'users:read',
  'users:write',
  'access:admin',
  'audit:read',
  'attributes:sensitive',
  'scim',
] as const;

export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** The roles of users. Each includes the permissions of those before it. */
export const roles = ['viewer', 'operator', 'administrator'] as const;

export type Role = (typeof roles)[number];

export function isRole(value: unknown): value is Role {
  return (roles as readonly unknown[]).includes(value);
}

export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['users:read'],
  operator: ['users:read', 'users:write'],
  administrator: scopes,
};

/** A user with the role administrator. */
export interface Administrator {
  readonly serial: string;
  /** Active and with a username. */
  readonly canSignIn: boolean;
}
