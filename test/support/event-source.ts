import { EventSource } from 'eventsource';
import { expect, onTestFinished } from 'vitest';
import type { EventFollower } from './event-restarts.js';

/** The browser EventSource for Node.js, which has to be given the token. */
export function followed(url: string, token: string): EventFollower & { readonly source: EventSource } {
  const [told, state]: [string[], { attempts: number; positions: number }] = [
    [],
    { attempts: 0, positions: 0 },
  ];
  const source = new EventSource(`${url}/service/events`, {
    fetch: (input, init) => {
      state.attempts++;
      return fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
    },
  });
  onTestFinished(() => source.close());
  source.addEventListener('position', () => state.positions++);
  source.addEventListener('user.created', ({ data }) => told.push(JSON.parse(data).data.employeeID));
  return {
    source,
    told: async () => told,
    positions: async () => state.positions,
    hasGivenUp: async () => source.readyState === EventSource.CLOSED,
    attempts: () => state.attempts,
  };
}

/** What an EventSource receives: the stream up to its end. */
export async function answered(url: string, token: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/service/events`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

export const putOff = (detail: string, rest = '\n') => ({
  status: 200,
  type: 'text/event-stream; charset=utf-8',
  text: expect.stringMatching(new RegExp(`^: [^\\n]*${detail}[^\\n]*\\nretry: \\d{4,5}\\n${rest}$`)),
});

/** Can read an error as well. */
export const anyone = { accept: 'text/event-stream, application/json' };
