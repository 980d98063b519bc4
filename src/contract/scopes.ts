/** What a token can be allowed to do. */
export const scopes = ['users:read', 'users:write', 'access:admin', 'audit:read'] as const;

export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** What a person can be; each role can do what the ones before it can. */
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

/** A user whose role is administrator. */
export interface Administrator {
  readonly serial: string;
  /** Active and with a username. */
  readonly canSignIn: boolean;
}
