import type { Query } from '@tanstack/react-query';

/** Users whose pages are refreshed one by one. Of more, all are. */
const usersMax = 50;

/** What happened since the data on the page was last refreshed. */
export interface Happened {
  readonly users: ReadonlySet<string>;
  readonly hasCalls: boolean;
}

export const nothing: Happened = { users: new Set(), hasCalls: false };

export interface HappenedEvent {
  readonly data: { readonly userSerial?: string; readonly callId: string | null };
}

export function withEvent({ users, hasCalls }: Happened, { data }: HappenedEvent): Happened {
  const { userSerial } = data;
  // A bulk call changes thousands, and a copy for each of them takes seconds.
  const isEnough = userSerial === undefined || users.size > usersMax;
  return {
    users: isEnough ? users : new Set([...users, userSerial]),
    hasCalls: hasCalls || data.callId !== null,
  };
}

const aboutUsers = new Set(['users', 'statistics', 'directories', 'employee-id', 'attention']);
const aboutCalls = new Set(['calls', 'call', 'approvals', 'changes', 'items']);

/** After a time in which anything may have happened. */
export function mayBeStale([subject, part]: Query['queryKey']): boolean {
  if (subject === 'activity') return aboutCalls.has(String(part));
  return (
    subject === 'feeds' ||
    subject === 'user' ||
    subject === 'changes' ||
    subject === 'attributes' ||
    aboutUsers.has(String(subject))
  );
}

/** Whether data on the page may have changed. The list of changes itself says that there are new ones. */
export function isStale({ users, hasCalls }: Happened, key: Query['queryKey']): boolean {
  const [subject, part] = key;
  if (subject === 'user') return users.size > usersMax || users.has(String(part));
  if (subject === 'feeds') return hasCalls; // each run makes calls, and its own events count as one
  if (subject === 'activity') return hasCalls && aboutCalls.has(String(part));
  return (users.size > 0 || hasCalls) && aboutUsers.has(String(subject));
}
