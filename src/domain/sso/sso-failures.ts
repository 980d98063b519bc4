import { type Failure, failure } from '../../contract/errors.js';
import type { ProviderProblem } from './identity-provider.js';

export const notConfigured: Failure = failure(
  'ACCESS_SSO_NOT_CONFIGURED',
  'Single sign-on is not set up. Sign in with your password, or ask an administrator to set ROLLCALL_SSO_ISSUER.',
);

export const signInInvalid: Failure = failure(
  'ACCESS_SSO_FAILED',
  'This sign-in cannot be completed: it took too long, was completed already or began in another browser, or the answer of the identity provider is not valid. Start again on the sign-in page.',
);

const unavailable: Failure = failure(
  'ACCESS_SSO_UNAVAILABLE',
  'The identity provider of your company does not answer now. Try again in a moment; if this lasts, tell an administrator.',
  { retryAfterSeconds: 10 },
);

const cancelled: Failure = failure(
  'ACCESS_SSO_CANCELLED',
  'The identity provider of your company did not sign you in. Start again on the sign-in page; if you did not cancel, ask an administrator whether you may use this service.',
);

export const userUnknown: Failure = failure(
  'ACCESS_SSO_USER_UNKNOWN',
  'Your company knows you, but you have no account here. Ask an administrator to add you.',
);

export const userInactive: Failure = failure(
  'ACCESS_SSO_USER_INACTIVE',
  'Your account here is deactivated. Ask an administrator to activate it.',
);

export const userDifferent: Failure = failure(
  'ACCESS_SSO_USER_DIFFERENT',
  'You signed in at the identity provider as somebody else. Repeat it as the user who is signed in here.',
);

export const logoutInvalid: Failure = failure(
  'ACCESS_LOGOUT_TOKEN_INVALID',
  'The logout token is not valid, is meant for another client, is too old, or was used before.',
);

const failures: Readonly<Record<ProviderProblem, Failure>> = {
  unavailable,
  cancelled,
  invalid: signInInvalid,
};

export function failureFor(problem: ProviderProblem): Failure {
  return failures[problem];
}
