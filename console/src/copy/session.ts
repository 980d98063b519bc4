export const sessionCopy = {
  title: 'Sign in to Rollcall',
  username: 'Username',
  password: 'Password',
  signIn: 'Sign in',
  signOut: 'Sign out',
  endedTitle: 'Your session has ended',
  endedHint: 'Sign in again to go on. What you typed is still here.',
  leave: 'Leave and lose what is here',
  mustChangeTitle: 'Choose a password of your own',
  mustChangeHint: 'The password that was sent to you has to be changed before you go on.',
  changePassword: 'Change password',
  currentPassword: 'Present password',
  newPassword: 'New password',
  newPasswordAgain: 'New password again',
  passwordsDiffer: 'The two are not the same.',
  passwordChanged: 'Your password was changed. Other sessions of yours have ended.',
  noRoleTitle: 'You have no role yet',
  noRole: (name: string) =>
    `You are signed in as ${name}, but you have no role here, so there is nothing to see. Ask an administrator for one, then sign in again.`,
  notSignedIn: 'You are not signed in',
  currentWrong: 'This is not your current password.',
  notChanged: 'Your password was not changed',
  showPassword: 'Show what is typed',
  hidePassword: 'Hide what is typed',
  newPasswordHint:
    'At least 8 characters. Not a common password, and not one built around your username, employee ID or email, or the name of your company or of this product.',
  signedInAs: (name: string, username: string, role: string) =>
    `Signed in as ${name} (${username}). Role: ${role}.`,
  role: (role: string | null) =>
    ({ viewer: 'Viewer', operator: 'Operator', administrator: 'Administrator' })[role ?? ''] ?? 'No role',
};
