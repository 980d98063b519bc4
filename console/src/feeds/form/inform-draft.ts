import type { Inform } from './feed.js';

export interface InformDraft {
  /** Serials of users. Everyone who wants such notices, if there are none. */
  readonly users: readonly string[];
  readonly chat: NonNullable<Inform['chat']> | '';
}

export const newInform: InformDraft = { users: [], chat: '' };

export function informDraftOf({ users, chat }: Inform): InformDraft {
  return { users: users ?? [], chat: chat ?? '' };
}

/** What to send. */
export function informOf({ users, chat }: InformDraft): Inform {
  return { ...(users.length > 0 && { users: [...users] }), ...(chat !== '' && { chat }) };
}
