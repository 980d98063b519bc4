export const createUserCopy = {
  title: 'Create a person',
  hint: 'An email or a phone is needed: the first password goes there.',
  create: 'Create',
  createAnother: 'Create and add another',
  passwordHint: (email: string | null, phone: string | null) => {
    const way = email !== null ? `by email to ${email}` : phone !== null ? `by SMS to ${phone}` : undefined;
    const where = way ?? 'to the email, or by SMS to the phone';
    return `Leave it empty, and one is made. Either way it is sent ${where}, and has to be changed at the first sign-in.`;
  },
  activeHint: 'The message with the password is sent right away.',
  inactiveHint: 'They cannot sign in; the message with the password waits until they are made active.',
  created: (name: string) => `${name} was created.`,
  messageOnItsWay: 'A message with their password is on its way.',
  messageWaits: 'The message with their password is sent once they are active.',
  open: 'Open',
  notCreated: 'The person was not created.',
  leaving: {
    title: 'Leave without creating?',
    hint: 'What you typed here is not saved and would be lost.',
    stay: 'Stay here',
    leave: 'Leave',
  },
};
