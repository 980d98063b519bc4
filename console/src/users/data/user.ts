import type { Schemas } from '@rollcall/client';

export type User = Schemas['User'];
/** With the former employee ID by which the user was found, if any. */
export type ListedUser = Schemas['ListedUser'];
