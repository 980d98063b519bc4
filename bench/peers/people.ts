import type { Change, Person } from './peer.js';

/** How many people each peer holds before anything is measured. */
export const filledCount = 3_000;

let made = 0;
let revision = 0;

/** Those that a peer is filled with, known by their number. */
export function firstPeople(): Person[] {
  return Array.from({ length: filledCount }, (_, index) => person(`E${index}`));
}

/** Somebody whom no peer knows yet. */
export function newPerson(): Person {
  return person(`N${++made}`);
}

/** Each with a name and a phone that nobody has had so far, for people who lie scattered over the table. */
export function changesFor(count: number): Change[] {
  const start = ++revision;
  const stride = 7; // has no divisor in common with the number of people, so that nobody is met twice
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
