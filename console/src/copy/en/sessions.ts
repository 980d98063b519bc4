import { plural } from './plural.js';

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
  /** For administrators. */
  all: {
    lead: 'Everyone who is signed in at the moment.',
    user: 'User',
    onlyUser: 'Filtered by user:',
    method: 'Signed in with',
    methods: { password: 'Password', passkey: 'Passkey', provider: 'Single sign-on' },
    empty: 'Nobody is signed in',
    emptyOfUser: 'This user is not signed in',
    endOfUser: 'End all sessions of this user',
    endEverybody: 'Sign everybody out',
    confirmTitle: 'Sign everybody out?',
    confirmText:
      'Everyone except you has to sign in again. Unsaved work in their browsers is kept. API clients continue.',
    done: (count: number) => `${plural(count, 'session')} ended.`,
    open: 'Sessions',
  },
};
