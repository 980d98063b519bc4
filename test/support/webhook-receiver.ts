import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Undefined if the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any;
  readonly receivedAtMs: number;
  /** The number of the connection, counted from one. */
  readonly connection: number;
}

/**
 * Its response: a status; none (`hang`); a broken connection (`drop`); endless headers (`drip-headers`); an endless
 * body, slow (`drip`) or as fast as it is read (`flood`).
 */
export type ReceiverAnswer =
  | number
  | 'hang'
  | 'drop'
  | 'drip-headers'
  | 'drip'
  | 'flood'
  | { readonly redirect: string; readonly status?: number };

export type ReceiverBehaviour =
  | ReceiverAnswer
  | ((request: ReceivedWebhook) => ReceiverAnswer | Promise<ReceiverAnswer>);

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly requests: ReceivedWebhook[];
  behaviour: ReceiverBehaviour;
  /** Headers of the response. */
  headers: Record<string, string>;
  /** The body, if the response is a status. */
  body: string;
  /** All connections ever made. */
  readonly connectionsMade: number;
  /** Connections open now. */
  readonly connectionsOpen: number;
  stop(): Promise<void>;
}

export interface WebhookReceiverOptions {
  /** Uses HTTPS with `receiverCertificate`. */
  readonly tls?: boolean;
  /** By default, any free port. */
  readonly port?: number;
}

/** The name in the certificate, in addition to 127.0.0.1. */
export const receiverHost = 'hooks.example';

/**
 * Valid from 2020 to 2120 and not trusted by default. Made with `openssl ca -selfsign`. It protects nothing, because
 * its key is public.
 */
export const receiverCertificate = `-----BEGIN CERTIFICATE-----
MIIBdDCCARmgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1ob29rcy5l
eGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1ob29rcy5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2JWI
lgriThsRmSQ8sbvDmHGlGj8C/bVoL6UZ2nalAH8wp+QSeMB99Ees+KabG8U6RJa+
GwMf+vVm/d6oRkBiy6NSMFAwDwYDVR0TAQH/BAUwAwEB/zAeBgNVHREEFzAVgg1o
b29rcy5leGFtcGxlhwR/AAABMB0GA1UdDgQWBBSX3KQI8HgIE47ieeA4dgCq9HZ1
cTAKBggqhkjOPQQDAgNJADBGAiEA+UHUKDAxXX4ZHApYSQy8IqApVTzUQ/64wrPA
VofuaAsCIQCDW4TiC4cvpH4NGbrGF1FkkTzC9XKZz58jpWqmNlQWZg==
-----END CERTIFICATE-----`;

export const receiverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvLZzeID648/IOhIR
xnH5WgXs5dK0So7wMVe1wELX61GhRANCAATYlYiWCuJOGxGZJDyxu8OYcaUaPwL9
tWgvpRnadqUAfzCn5BJ4wH30R6z4ppsbxTpElr4bAx/69Wb93qhGQGLL
-----END PRIVATE KEY-----`;

/** A webhook receiver on a free port that stops with the test. Concurrent tests pass their own hook. */
export async function startWebhookReceiver(
  options: WebhookReceiverOptions = {},
  whenFinished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<WebhookReceiver> {
  const receiver = await openWebhookReceiver(options);
  whenFinished(() => receiver.stop());
  return receiver;
}

/** The same, for callers that stop it themselves. */
export async function openWebhookReceiver({
  tls = false,
  port: wantedPort = 0,
}: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const server = tls
    ? createHttpsServer({ cert: receiverCertificate, key: receiverKey })
    : createHttpServer();
  // So that only the sender decides whether an idle connection stays open.
  server.keepAliveTimeout = 0;
  const connections = new Map<Socket, number>();
  let connectionsMade = 0;
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, ++connectionsMade);
    socket.on('close', () => connections.delete(socket));
  });
  server.on('request', async (request, response) => {
    // If the sender disconnects, there is nothing left to do.
    const received = await read(request, connections.get(request.socket) ?? 0).catch(() => undefined);
    if (received === undefined) return;
    receiver.requests.push(received);
    const { behaviour } = receiver;
    answer(response, receiver, typeof behaviour === 'function' ? await behaviour(received) : behaviour);
  });
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/webhooks`,
    port,
    requests: [],
    behaviour: 204,
    headers: {},
    body: '',
    get connectionsMade() {
      return connectionsMade;
    },
    get connectionsOpen() {
      return connections.size;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

async function read(request: IncomingMessage, connection: number): Promise<ReceivedWebhook> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    json: jsonIn(body),
    receivedAtMs: Date.now(),
    connection,
  };
}

function answer(response: ServerResponse, { headers, body }: WebhookReceiver, how: ReceiverAnswer): void {
  if (typeof how === 'number') response.writeHead(how, headers).end(body);
  else if (typeof how === 'object')
    response.writeHead(how.status ?? 302, { ...headers, location: how.redirect }).end();
  else if (how === 'drop') response.socket?.destroy();
  else if (how === 'drip-headers') {
    response.socket?.write('HTTP/1.1 200 OK\r\n');
    untilClosed(response, 20, () => response.socket?.write('x-drip: 1\r\n'));
  } else if (how === 'drip') {
    response.writeHead(200, headers).write('.');
    untilClosed(response, 100, () => response.write('.'));
  } else if (how === 'flood') {
    response.writeHead(200, headers);
    pour(response);
  }
}

function untilClosed(response: ServerResponse, everyMs: number, act: () => void): void {
  const timer = setInterval(act, everyMs);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  const lump = Buffer.alloc(64 * 1024, '.');
  const more = () => {
    if (!response.destroyed) response.write(lump, more);
  };
  more();
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
