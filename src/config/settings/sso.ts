import { localSignInChoices, providerUserFields } from '../../contract/enums.js';
import { isIssuerUrl } from '../../contract/issuers.js';
import { parseRoleMapping, type RoleMapping } from '../../contract/provider-claims.js';
import { choice, onOrOff, optionalSecret, optionalText, type Setting, text } from '../kinds.js';

/** Single sign-on, and what remains for passwords. */
export const ssoSettings = {
  ssoIssuer: {
    ...optionalText(
      'ROLLCALL_SSO_ISSUER',
      'url',
      "Issuer of the company's OpenID provider, for single sign-on: `https://login.example.com`. See [sign-in.md](sign-in.md#single-sign-on).",
    ),
    expects: 'an https:// URL (http:// for a loopback host) without a user, query or fragment',
    parse: (value: string) => (isIssuerUrl(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  ssoClientId: optionalText(
    'ROLLCALL_SSO_CLIENT_ID',
    'id',
    'Client ID of Rollcall at the provider, with the redirect URI `/service/auth/sso/callback` under `ROLLCALL_PUBLIC_URL`.',
  ),
  ssoClientSecret: optionalSecret(
    'ROLLCALL_SSO_CLIENT_SECRET',
    'secret',
    'Client secret of Rollcall at the provider. Unset: a public client.',
  ),
  ssoScopes: {
    ...text('ROLLCALL_SSO_SCOPES', 'openid profile email', 'scopes', 'Scopes that Rollcall requests.'),
    expects: 'scopes separated by spaces, with openid among them',
    parse: (value: string) => (value.split(' ').includes('openid') ? value : undefined),
  } satisfies Setting<string>,
  ssoUserClaim: optionalText(
    'ROLLCALL_SSO_USER_CLAIM',
    'claim',
    'Claim that says which user signs in, such as `employee_number`. Users must not be able to change it.',
  ),
  ssoUserField: choice(
    'ROLLCALL_SSO_USER_FIELD',
    providerUserFields,
    'employeeID',
    'Field that the claim is compared with. `email` requires `email_verified: true`, and that only one user has the address.',
  ),
  ssoRoleClaim: optionalText(
    'ROLLCALL_SSO_ROLE_CLAIM',
    'claim',
    'Claim that decides about roles at every sign-in, such as `groups`. Unset: the roles stored in Rollcall apply.',
  ),
  ssoRoles: {
    name: 'ROLLCALL_SSO_ROLES',
    description:
      'Roles for values of the role claim: `rollcall-admins=administrator, hr=operator`. The most powerful one counts.',
    fallback: [],
    valueName: 'mapping',
    expects: 'pairs of value=role, separated by commas',
    parse: parseRoleMapping,
  } satisfies Setting<RoleMapping>,
  ssoName: optionalText(
    'ROLLCALL_SSO_NAME',
    'name',
    'Name of the provider on the sign-in page: `Example Corp`.',
  ),
  localSignIn: choice(
    'ROLLCALL_LOCAL_SIGN_IN',
    localSignInChoices,
    'on',
    'Who may still sign in with a password when there is a provider: everybody (`on`), `administrators`, or nobody (`off`). See [sign-in.md](sign-in.md#if-the-provider-is-lost).',
  ),
  passwordRecovery: choice(
    'ROLLCALL_PASSWORD_RECOVERY',
    onOrOff,
    'on',
    'Whether users can have a link to a new password sent to them.',
  ),
} as const;
