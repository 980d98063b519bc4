import type { Change, Person } from './peer.js';

/** How many users each peer has before the measurement. */
export const filledCount = 3_000;

let made = 0;
let revision = 0;

/** The users that a peer is filled with. */
export function firstPeople(): Person[] {
  return Array.from({ length: filledCount }, (_, index) => person(`E${index}`));
}

/** A user that no peer has yet. */
export function newPerson(): Person {
  return person(`N${++made}`);
}

/** Changes to a new, unique name and phone, for users scattered over the table. */
export function changesFor(count: number): Change[] {
  const start = ++revision;
  const stride = 7; // has no divisor in common with the number of users, so that none is chosen twice
  return Array.from({ length: count }, (_, index) => person(`E${(start + index * stride) % filledCount}`));
}

function person(employeeID: string): Person {
  revision++;
  return {
    employeeID,
    name: `Margaret Hamilton ${revision}`,
    email: `${employeeID.toLowerCase()}@example.com`,
    phone: `+49 30 ${10_000_000 + revision}`,
  };
}
