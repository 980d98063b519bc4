/** Where the user is signed in. */
export const sessionsCopy = {
  title: 'Where you are signed in',
  table: 'Sessions, newest first',
  lead: "If you don't recognize one, end it and change your password.",
  device: 'Device',
  unknownDevice: 'Unknown device',
  address: 'IP address',
  signedIn: 'Signed in',
  lastSeen: 'Last used',
  actions: 'Actions',
  current: 'This session',
  end: 'End',
  endOf: (device: string) => `End the session of ${device}`,
  endOthers: 'End all other sessions',
  ended: 'Session ended.',
  allEnded: 'All other sessions have been ended.',
  notEnded: "Couldn't end the session",
};
