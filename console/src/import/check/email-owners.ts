import type { Dependencies } from '../state/dependencies.js';
import { sets } from '../state/findings.js';
import type { KnownUser } from '../state/knowledge.js';
import { readFacts } from '../state/row-facts.js';
import type { ImportStore } from '../state/store.js';

/** Each address is a request, so a file with thousands of new ones is compared with itself only beyond these. */
export const emailsAskedMax = 300;
const requestsAtOnce = 4;

/** Asks who has the email addresses that rows would set. */
export async function findEmailOwners(
  store: ImportStore,
  signal: AbortSignal,
  { calls }: Dependencies,
): Promise<void> {
  const { rows, check } = store.getState();
  if (!rows || !check) return;
  const facts = await readFacts(check.reader, rows);
  const known = check.knowledge.emailOwners;
  const set = facts.filter((each) => sets(rows, each, 'email') && !known.has(each.email));
  const asked = [...new Set(set.map(({ email }) => email))].slice(0, emailsAskedMax - known.size);
  const found: [string, KnownUser | undefined][] = [];
  for (let at = 0; at < asked.length && !signal.aborted; at += requestsAtOnce) {
    const batch = asked.slice(at, at + requestsAtOnce);
    const owners = await Promise.all(batch.map((email) => calls.emailOwner(email, signal)));
    found.push(...batch.map((email, index) => [email, owners[index]] as [string, KnownUser | undefined]));
  }
  if (signal.aborted || found.length === 0) return;
  const emailOwners = new Map([...(store.getState().check?.knowledge.emailOwners ?? []), ...found]);
  store.dispatch({ type: 'learned', knowledge: { emailOwners } });
}
