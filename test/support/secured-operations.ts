import type { Scope } from '../../src/contract/scopes.js';

export interface SecuredOperation {
  readonly method: string;
  readonly path: string;
  /** Undefined if any token is sufficient. */
  readonly scope?: Scope;
  /** Required in addition. */
  readonly alsoScope?: Scope;
  /** About the user who signed in, so it requires a session. */
  readonly forUsers?: true;
  /** Allowed with an initial password. */
  readonly duringPasswordChange?: true;
  readonly body?: unknown;
}

const writeAndRead = { scope: 'users:write', alsoScope: 'users:read' } as const;
const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

/**
 * Every operation that requires a token. Written out instead of derived from the code, because permissions are part of
 * the contract. These requests change nothing even if they are allowed: they name nothing that exists, or lack a
 * required field. Only the last one, which signs out, ends the session it is sent with.
 */
export const securedOperations: readonly SecuredOperation[] = [
  { method: 'GET', path: '/service/auth/me' },
  { method: 'GET', path: '/service/users', scope: 'users:read' },
  { method: 'POST', path: '/service/users/lookup', scope: 'users:read', body: {} },
  { method: 'GET', path: `/service/users/${nobody}`, scope: 'users:read' },
  { method: 'GET', path: `/service/users/${nobody}/role`, scope: 'users:read' },
  { method: 'GET', path: `/service/users/${nobody}/language`, scope: 'users:read' },
  { method: 'GET', path: `/service/users/${nobody}/history`, scope: 'audit:read' },
  { method: 'GET', path: '/service/calls', scope: 'users:read' },
  { method: 'GET', path: '/service/statistics', scope: 'users:read' },
  { method: 'GET', path: '/service/settings', scope: 'access:admin' },
  { method: 'GET', path: '/service/status', scope: 'access:admin' },
  { method: 'GET', path: '/service/backup', scope: 'access:admin' },
  { method: 'GET', path: `/service/calls/${nobody}`, scope: 'users:read' },
  { method: 'GET', path: `/service/calls/${nobody}/items`, scope: 'users:read' },
  { method: 'POST', path: `/service/calls/${nobody}/approve`, ...writeAndRead },
  { method: 'POST', path: `/service/calls/${nobody}/cancel`, ...writeAndRead },
  { method: 'POST', path: `/service/calls/${nobody}/take-over`, ...writeAndRead },
  { method: 'POST', path: `/service/calls/${nobody}/undo`, scope: 'users:write' },
  { method: 'POST', path: '/service/users', scope: 'users:write', body: {} },
  { method: 'POST', path: '/service/users/create-bulk', scope: 'users:write', body: {} },
  { method: 'POST', path: '/service/users/update-bulk', scope: 'users:write', body: {} },
  { method: 'POST', path: '/service/users/upsert-bulk', scope: 'users:write', body: {} },
  { method: 'PATCH', path: `/service/users/${nobody}`, scope: 'users:write', body: {} },
  { method: 'POST', path: '/service/users/update-matching', ...writeAndRead, body: {} },
  { method: 'GET', path: `/service/employee-ids/${nobody}`, scope: 'users:read' },
  { method: 'GET', path: `/service/users/${nobody}/employee-ids`, scope: 'users:read' },
  { method: 'POST', path: `/service/employee-ids/${nobody}/release`, scope: 'access:admin' },
  { method: 'POST', path: `/service/usernames/${nobody}/release`, scope: 'access:admin' },
  { method: 'GET', path: `/service/users/${nobody}/reports`, scope: 'users:read' },
  { method: 'GET', path: '/service/attributes', scope: 'users:read' },
  { method: 'POST', path: '/service/attributes', scope: 'access:admin', body: {} },
  { method: 'GET', path: `/service/attributes/${nobody}`, scope: 'users:read' },
  { method: 'PATCH', path: `/service/attributes/${nobody}`, scope: 'access:admin', body: {} },
  { method: 'DELETE', path: `/service/attributes/${nobody}`, scope: 'access:admin' },
  { method: 'GET', path: '/service/feeds', scope: 'users:read' },
  { method: 'POST', path: '/service/feeds', scope: 'access:admin', body: {} },
  { method: 'GET', path: `/service/feeds/${nobody}`, scope: 'users:read' },
  { method: 'PATCH', path: `/service/feeds/${nobody}`, scope: 'access:admin', body: {} },
  { method: 'DELETE', path: `/service/feeds/${nobody}`, scope: 'access:admin' },
  { method: 'GET', path: `/service/feeds/${nobody}/versions`, scope: 'users:read' },
  { method: 'PUT', path: `/service/feeds/${nobody}/file`, ...writeAndRead },
  { method: 'GET', path: `/service/feeds/${nobody}/runs`, scope: 'users:read' },
  { method: 'POST', path: `/service/feeds/${nobody}/runs`, ...writeAndRead, body: {} },
  { method: 'GET', path: `/service/feeds/${nobody}/runs/${nobody}`, scope: 'users:read' },
  { method: 'GET', path: `/service/feeds/${nobody}/runs/${nobody}/rows`, scope: 'users:read' },
  { method: 'POST', path: `/service/feeds/${nobody}/runs/${nobody}/approve`, ...writeAndRead },
  { method: 'POST', path: `/service/feeds/${nobody}/runs/${nobody}/cancel`, ...writeAndRead },
  { method: 'POST', path: `/service/feeds/${nobody}/runs/${nobody}/undo`, ...writeAndRead },
  { method: 'GET', path: '/service/organizations', scope: 'users:read' },
  { method: 'GET', path: `/service/organizations/${nobody}`, scope: 'users:read' },
  { method: 'PUT', path: `/service/organizations/${nobody}`, ...writeAndRead, body: { displayName: 7 } },
  { method: 'DELETE', path: `/service/organizations/${nobody}`, ...writeAndRead },
  { method: 'POST', path: '/service/organizations/rename', ...writeAndRead, body: {} },
  { method: 'POST', path: '/service/organizations/merge', ...writeAndRead, body: {} },
  { method: 'POST', path: '/service/organizations/resolve-names', scope: 'users:read', body: {} },
  { method: 'POST', path: '/service/organizations/remember-names', ...writeAndRead, body: {} },
  { method: 'GET', path: '/service/tags', scope: 'users:read' },
  { method: 'GET', path: `/service/tags/${nobody}`, scope: 'users:read' },
  { method: 'PUT', path: `/service/tags/${nobody}`, ...writeAndRead, body: { displayName: 7 } },
  { method: 'DELETE', path: `/service/tags/${nobody}`, ...writeAndRead },
  { method: 'POST', path: '/service/tags/rename', ...writeAndRead, body: {} },
  { method: 'POST', path: '/service/tags/merge', ...writeAndRead, body: {} },
  { method: 'POST', path: '/service/tags/resolve-names', scope: 'users:read', body: {} },
  { method: 'POST', path: '/service/tags/remember-names', ...writeAndRead, body: {} },
  { method: 'PUT', path: `/service/users/${nobody}/language`, scope: 'users:write', body: {} },
  { method: 'PUT', path: `/service/users/${nobody}/role`, scope: 'access:admin', body: { role: 'viewer' } },
  { method: 'POST', path: `/service/users/${nobody}/reset-password`, scope: 'access:admin' },
  { method: 'DELETE', path: `/service/users/${nobody}`, scope: 'access:admin' },
  { method: 'POST', path: '/service/users/erase-bulk', scope: 'access:admin', body: {} },
  {
    method: 'GET',
    path: `/service/users/${nobody}/personal-data`,
    scope: 'access:admin',
    alsoScope: 'audit:read',
  },
  { method: 'POST', path: '/service/clients', scope: 'access:admin', body: {} },
  { method: 'GET', path: '/service/clients', scope: 'access:admin' },
  { method: 'GET', path: '/service/clients/nobody', scope: 'access:admin' },
  { method: 'PATCH', path: '/service/clients/nobody', scope: 'access:admin', body: {} },
  { method: 'POST', path: '/service/clients/nobody/rotate', scope: 'access:admin', body: {} },
  { method: 'POST', path: '/service/clients/nobody/tokens', scope: 'access:admin', body: {} },
  { method: 'GET', path: '/service/clients/nobody/tokens', scope: 'access:admin' },
  { method: 'DELETE', path: `/service/clients/nobody/tokens/${nobody}`, scope: 'access:admin' },
  { method: 'GET', path: '/service/scim/providers', scope: 'access:admin' },
  { method: 'GET', path: '/service/clients/nobody/scim', scope: 'access:admin' },
  { method: 'PUT', path: '/service/clients/nobody/scim', scope: 'access:admin', body: {} },
  {
    method: 'POST',
    path: '/service/clients/nobody/scim/allow-deactivations',
    scope: 'access:admin',
    body: {},
  },
  { method: 'GET', path: '/service/clients/nobody/scim/requests', scope: 'access:admin' },
  { method: 'GET', path: '/service/deliveries', scope: 'access:admin' },
  { method: 'POST', path: `/service/deliveries/${nobody}/resend`, scope: 'access:admin' },
  { method: 'POST', path: '/service/deliveries/release', scope: 'access:admin', body: {} },
  { method: 'GET', path: '/service/access-events', scope: 'audit:read' },
  { method: 'GET', path: '/service/changes', scope: 'audit:read' },
  // Rejected for its parameter if allowed, because a test can't wait for the end of a stream.
  { method: 'GET', path: '/service/events?types=none', scope: 'audit:read' },
  { method: 'POST', path: '/service/applications', scope: 'access:admin', body: {} },
  { method: 'GET', path: '/service/applications', scope: 'access:admin' },
  { method: 'GET', path: `/service/applications/${nobody}`, scope: 'access:admin' },
  { method: 'PATCH', path: `/service/applications/${nobody}`, scope: 'access:admin', body: {} },
  { method: 'DELETE', path: `/service/applications/${nobody}`, scope: 'access:admin' },
  { method: 'POST', path: `/service/applications/${nobody}/rotate`, scope: 'access:admin', body: {} },
  { method: 'POST', path: '/service/scim/targets', scope: 'access:admin', body: {} },
  { method: 'GET', path: '/service/scim/targets', scope: 'access:admin' },
  { method: 'GET', path: `/service/scim/targets/${nobody}`, scope: 'access:admin' },
  { method: 'PATCH', path: `/service/scim/targets/${nobody}`, scope: 'access:admin', body: {} },
  { method: 'DELETE', path: `/service/scim/targets/${nobody}`, scope: 'access:admin' },
  { method: 'POST', path: `/service/scim/targets/${nobody}/sync`, scope: 'access:admin' },
  { method: 'POST', path: `/service/scim/targets/${nobody}/compare`, scope: 'access:admin' },
  { method: 'POST', path: `/service/scim/targets/${nobody}/repair`, scope: 'access:admin' },
  { method: 'GET', path: `/service/scim/targets/${nobody}/differences`, scope: 'access:admin' },
  { method: 'GET', path: `/service/scim/targets/${nobody}/failures`, scope: 'access:admin' },
  { method: 'POST', path: '/service/webhooks', scope: 'access:admin', body: {} },
  { method: 'GET', path: '/service/webhooks', scope: 'access:admin' },
  { method: 'GET', path: `/service/webhooks/${nobody}`, scope: 'access:admin' },
  { method: 'PATCH', path: `/service/webhooks/${nobody}`, scope: 'access:admin', body: {} },
  { method: 'DELETE', path: `/service/webhooks/${nobody}`, scope: 'access:admin' },
  { method: 'POST', path: `/service/webhooks/${nobody}/test`, scope: 'access:admin' },
  { method: 'POST', path: `/service/webhooks/${nobody}/rotate`, scope: 'access:admin', body: {} },
  {
    method: 'POST',
    path: `/service/webhooks/${nobody}/replay`,
    scope: 'access:admin',
    body: { fromSequence: 1 },
  },
  { method: 'PUT', path: '/service/auth/language', forUsers: true, body: {} },
  { method: 'POST', path: '/service/auth/prove', forUsers: true, body: {} },
  { method: 'GET', path: '/service/me/sessions', forUsers: true },
  { method: 'DELETE', path: '/service/me/sessions', forUsers: true },
  { method: 'DELETE', path: `/service/me/sessions/${nobody}`, forUsers: true },
  { method: 'GET', path: '/service/sessions', scope: 'access:admin' },
  { method: 'DELETE', path: '/service/sessions', scope: 'access:admin' },
  { method: 'DELETE', path: `/service/sessions/${nobody}`, scope: 'access:admin' },
  { method: 'DELETE', path: `/service/users/${nobody}/sessions`, scope: 'access:admin' },
  { method: 'GET', path: '/service/me/applications', forUsers: true },
  { method: 'DELETE', path: `/service/me/applications/${nobody}`, forUsers: true },
  { method: 'GET', path: '/service/me/profile', forUsers: true },
  { method: 'PATCH', path: '/service/me/profile', forUsers: true, body: {} },
  { method: 'POST', path: '/service/me/profile/confirm', forUsers: true, body: {} },
  { method: 'DELETE', path: `/service/me/profile/${nobody}`, forUsers: true },
  { method: 'GET', path: '/service/me/history', forUsers: true },
  { method: 'GET', path: '/service/me/notices', forUsers: true },
  { method: 'PATCH', path: '/service/me/notices', forUsers: true, body: {} },
  {
    method: 'POST',
    path: '/service/auth/change-password',
    forUsers: true,
    duringPasswordChange: true,
    body: {},
  },
  { method: 'POST', path: '/service/auth/sign-out', forUsers: true, duringPasswordChange: true },
];

/** The operation with a star for each parameter, as in `GET /service/users/*`. */
export function patternOf({ method, path }: Pick<SecuredOperation, 'method' | 'path'>): string {
  const pattern = path.replace(/\?.*/, '').replace(/\/(?:nobody|[0-9a-f]{8}-[0-9a-f-]{27}|\{\w+\})/g, '/*');
  return `${method.toUpperCase()} ${pattern}`;
}
