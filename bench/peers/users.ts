import type { Change, User } from './peer.js';

/** How many users each peer has before the measurement. */
export const filledCount = 3_000;

let made = 0;
let revision = 0;

/** The users that a peer is filled with. */
export function firstUsers(): User[] {
  return Array.from({ length: filledCount }, (_, index) => user(`E${index}`));
}

/** A user that no peer has yet. */
export function newUser(): User {
  return user(`N${++made}`);
}

/** Changes to a new, unique name and phone, for users scattered over the table. */
export function changesFor(count: number): Change[] {
  const start = ++revision;
  const stride = 7; // has no divisor in common with the number of users, so that none is chosen twice
  return Array.from({ length: count }, (_, index) => user(`E${(start + index * stride) % filledCount}`));
}

function user(employeeID: string): User {
  revision++;
  return {
    employeeID,
    name: `Margaret Hamilton ${revision}`,
    email: `${employeeID.toLowerCase()}@example.com`,
    phone: `+49 30 ${10_000_000 + revision}`,
  };
}
