import { Type } from 'typebox';
import { localSignInChoices } from './enums.js';
import { anyText } from './fields.js';
import { bodyOf, orNull, required, success } from './shapes.js';
import { changePasswordFields, signInFields } from './sign-in.js';

export const forgotPasswordFields = { username: signInFields.username } as const;
export const ForgotPassword = bodyOf(forgotPasswordFields, {
  title: 'ForgotPassword',
  description: 'Who forgot the password.',
});

export const checkLinkFields = {
  token: required(anyText('What follows the hash in the link.', 'rcl_…')),
} as const;
export const CheckLink = bodyOf(checkLinkFields, {
  title: 'CheckPasswordLink',
  description: 'The link that somebody has opened.',
});

export const resetWithLinkFields = {
  ...checkLinkFields,
  newPassword: changePasswordFields.newPassword,
} as const;
export const ResetWithLink = bodyOf(resetWithLinkFields, {
  title: 'ResetPasswordWithLink',
  description: 'The new password of whoever received the link.',
});

export const SignInMethodsReply = success(
  'SignInMethods',
  Type.Object({
    password: Type.String({
      enum: [...localSignInChoices],
      description: 'Who may sign in with a password: everybody (on), administrators, or nobody (off).',
    }),
    recovery: Type.Boolean({ description: 'Whether users can have a link to a new password sent to them.' }),
    provider: orNull(
      Type.Object(
        {
          name: orNull(Type.String({ description: 'What users call it.', examples: ['Example Corp'] })),
        },
        { description: 'The identity provider of the company; null if there is none.' },
      ),
    ),
  }),
);
