export const sessionCopy = {
  title: 'Sign in to Rollcall',
  signInName: 'Username or employee ID',
  password: 'Password',
  signIn: 'Sign in',
  signOut: 'Sign out',
  forgotten: 'Forgot your password? Ask an administrator to reset it.',
  endedTitle: 'Your session has ended',
  endedHint: 'Sign in again to continue. Nothing you entered is lost.',
  leave: 'Discard changes and sign out',
  mustChangeTitle: 'Choose a new password',
  mustChangeHint: 'Replace the password you received with one of your own.',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  newPasswordAgain: 'Confirm new password',
  passwordsDiffer: "Passwords don't match.",
  passwordChanged: 'Password changed. All your other sessions have been signed out.',
  noRoleTitle: 'Your account is ready',
  noRole: (name: string) =>
    `You are signed in as ${name}. Your password is set, and there is nothing else to do here.`,
  noRoleWhy:
    'This console is only for people who manage users, and you have no role in it. If you should manage users, ask an administrator of Rollcall in your company to give you a role, then sign in again.',
  notSignedIn: "Couldn't sign in",
  currentWrong: 'Incorrect password.',
  proveTitle: "Confirm it's you",
  proveHint: 'What you are about to do needs your password again. Nothing you entered is lost.',
  prove: 'Confirm',
  notProven: "Couldn't confirm",
  insecureTitle: 'This page needs a secure connection',
  insecureHint:
    'Your browser only signs you in over HTTPS. Open Rollcall at its https:// address, or ask your IT department for it.',
  notChanged: "Couldn't change your password",
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  newPasswordHint:
    "At least 8 characters. Don't use a common password, or one based on your username, employee ID, email address, company or this product.",
  signedInAs: (name: string, signInName: string, role: string) =>
    `Signed in as ${name} (${signInName}). Role: ${role}.`,
  role: (role: string | null) =>
    ({ viewer: 'Viewer', operator: 'Operator', administrator: 'Administrator' })[role ?? ''] ?? 'No role',
};
