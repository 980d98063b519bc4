/** The page that requests a link to a new password, and the one that it opens. */
export const passwordLinkCopy = {
  forgotHint:
    'Enter your username or employee ID to get a link with which you choose a new password: by email, or by SMS if you have no email address.',
  sendLink: 'Send link',
  linkSent: 'If you can sign in with a password here, a link is on its way. It works for 15 minutes.',
  linkNotSent: "Couldn't send the link",
  backToSignIn: 'Back to the sign-in page',
  goToSignIn: 'Go to the sign-in page',
  passwordRecovered: 'Your new password is in effect. All your sessions have been signed out.',
  invalid: {
    title: 'This link no longer works',
    hint: 'It was used, has expired, or was replaced by a newer one. If you have chosen a password with it, sign in with that one.',
  },
  missing: {
    title: 'Open the link again',
    hint: 'This page needs the link from your message, and loses it when it is reloaded. Open the link in the message again, or request a new one.',
  },
  askForLink: 'Ask an administrator to send you a new one.',
};
