/** What a token can be allowed to do. */
export const scopes = ['users:read', 'users:write', 'access:admin', 'audit:read'] as const;

export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
