import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SmsRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any;
}

export interface SmsGatewayServer {
  readonly url: string;
  readonly requests: SmsRequest[];
  /** Its response: a status, none (`hang`) or a broken connection (`drop`). */
  behaviour: number | 'hang' | 'drop';
  /** Headers of the response. */
  headers: Record<string, string>;
  /** Body of the response. */
  body: string;
  stop(): Promise<void>;
}

/** An SMS gateway on a free port that stops with the test. */
export async function startSmsGateway(): Promise<SmsGatewayServer> {
  const gateway = await openSmsGateway();
  onTestFinished(() => gateway.stop());
  return gateway;
}

/** The same, for callers that stop it themselves. */
export async function openSmsGateway(): Promise<SmsGatewayServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    gateway.requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: body === '' ? undefined : JSON.parse(body),
    });
    if (gateway.behaviour === 'hang') return;
    if (gateway.behaviour === 'drop') request.socket.destroy();
    else response.writeHead(gateway.behaviour, gateway.headers).end(gateway.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gateway: SmsGatewayServer = {
    url: `http://127.0.0.1:${port}/messages`,
    requests: [],
    behaviour: 202,
    headers: {},
    body: '',
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gateway;
}
