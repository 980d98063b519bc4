import type { Event } from '../events/events.js';

/** One event as it is, or several as a batch. Dated by the last event, so that every attempt sends the same body. */
export function messageOf(events: readonly Event[]): { readonly id: string; readonly body: string } {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) throw new Error('a message has at least one event');
  if (events.length === 1) return { id: `evt_${first.sequence}`, body: first.json };
  const all = events.map(({ json }) => json).join(',');
  return {
    id: `evt_${first.sequence}-${last.sequence}`,
    body: `{"type":"batch","timestamp":"${last.timestamp}","data":{"events":[${all}]}}`,
  };
}

/** Rows of the log that one message is made of at most. */
export const rowsPerMessage = 1_000;
