import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { type EventFollower, expectNothingLost } from '../support/event-restarts.js';

const site = useSite();

/**
 * An EventSource can't send a token, so a proxy adds it. If a connection breaks on one side of the proxy, it breaks on
 * the other.
 */
async function withToken(url: string, token: string): Promise<{ url: string; requests(): number }> {
  let requests = 0;
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.url === '/')
      return outgoing.setHeader('content-type', 'text/html').end('<title>Events</title>');
    requests++;
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const passed = request(`${url}${incoming.url}`, { headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
      answer.on('close', () => incoming.destroy());
    });
    passed.on('error', () => incoming.destroy());
    outgoing.on('close', () => passed.destroy());
    passed.end();
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests: () => requests };
}

interface Followed {
  source: EventSource;
  told: string[];
  positions: number;
}

async function follow(url: string, token: string): Promise<EventFollower> {
  const proxy = await withToken(url, token);
  const page = await site.newPage();
  await page.goto(proxy.url);
  await page.evaluate(() => {
    const followed: Followed = { source: new EventSource('/service/events'), told: [], positions: 0 };
    followed.source.addEventListener('position', () => followed.positions++);
    followed.source.addEventListener('user.created', ({ data }) => {
      followed.told.push(JSON.parse(data).data.employeeID);
    });
    Object.assign(globalThis, { followed });
  });
  const look = <T>(at: 'told' | 'positions' | 'state') =>
    page.evaluate((name) => {
      const { followed } = globalThis as unknown as { followed: Followed };
      return name === 'state' ? followed.source.readyState : followed[name];
    }, at) as Promise<T>;
  return {
    told: () => look<string[]>('told'),
    positions: () => look<number>('positions'),
    hasGivenUp: async () => (await look<number>('state')) === 2, // CLOSED
    attempts: proxy.requests,
  };
}

test('a browser EventSource receives every event once and in order, across a restart', async () => {
  await expectNothingLost(follow, ['SIGKILL']);
});
