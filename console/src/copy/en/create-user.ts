export const createUserCopy = {
  title: 'Create user',
  hint: 'An email address or a phone number is required, because the initial password is sent there.',
  create: 'Create',
  createAnother: 'Create and add another',
  passwordHint: (email: string | null, phone: string | null) => {
    const address =
      email !== null ? `by email to ${email}` : phone !== null ? `by SMS to ${phone}` : undefined;
    const where = address ?? 'by email, or by SMS if there is no email address';
    return `Leave empty to generate one. It is sent ${where}, and must be changed at the first sign-in.`;
  },
  activeHint: 'The password will be sent right away.',
  fileHint: 'The password will only be written to a file, because the service does not send messages yet.',
  inactiveHint: "Inactive users can't sign in. The password will be sent when they are activated.",
  created: (name: string) => `${name} created.`,
  messageOnItsWay: 'The password is on its way.',
  messageInFile: 'The password was only written to a file.',
  messageWaits: 'The password will be sent when they are activated.',
  open: 'View user',
  rehire: {
    title: 'An inactive user has this employee ID',
    hint: 'If it is the same person, rehire them: the user is reactivated with the data above and a new password, and keeps their history.',
    action: 'Rehire',
    done: (name: string) => `${name} rehired.`,
  },
  quarantine: {
    title: (name: string) => `${name} was released recently`,
    hint: (day: string) =>
      `It is kept for its last holder until ${day}. If nobody will need it again, release it now.`,
    askAdministrator: (day: string) =>
      `It is kept for its last holder until ${day}. To use it earlier, ask an administrator to release it.`,
    release: (name: string) => `Release ${name}`,
    released: (name: string) => `${name} can be used now.`,
    failed: "Couldn't release it",
  },
  notCreated: "Couldn't create the user",
  leaving: {
    title: 'Discard this user?',
    hint: 'The user has not been created yet.',
    stay: 'Keep editing',
    leave: 'Discard',
  },
};
