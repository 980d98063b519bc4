import { connect, type Socket } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly json: any;
}

/** A bare connection, for requests that no HTTP client would send. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return socket;
}

/** Sends bytes as they are, nothing else, and reads until the service closes the connection. */
export async function sendRaw(url: string, ...parts: (string | Buffer)[]): Promise<RawReply> {
  const socket = await openSocket(url);
  const received: Buffer[] = [];
  socket.on('data', (bytes) => received.push(bytes));
  // The service may close the connection while we are still writing. What it sent before counts.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const part of parts) socket.write(part);
  await closed;
  return parseReply(Buffer.concat(received).toString('utf8'));
}

/** The text of a request with exactly the given headers, plus Host and Connection: close. */
export function rawRequest(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const lines = Object.entries({ host: 'rollcall.test', connection: 'close', ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** A body with chunked transfer encoding, so without a length. */
export function chunked(...chunks: string[]): string {
  const coded = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
  return `${coded.join('')}0\r\n\r\n`;
}

function parseReply(reply: string): RawReply {
  const end = reply.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = reply.slice(0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
  );
  const text = reply.slice(end + 4);
  return { status: Number(statusLine.split(' ')[1]), headers, text, json: jsonOrNothing(text) };
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
