import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { receiverCertificate, receiverKey } from './webhook-receiver.js';

export interface FileServer {
  /** Without a path. */
  readonly url: string;
  readonly port: number;
  /** Connections open now. */
  readonly connectionsOpen: number;
}

/** A server on a free port that ends with the test. It uses HTTPS with `receiverCertificate`, or HTTP if asked to. */
export async function startFileServer(
  answer: RequestListener,
  { tls = true }: { readonly tls?: boolean } = {},
): Promise<FileServer> {
  const server = tls
    ? createHttpsServer({ cert: receiverCertificate, key: receiverKey }, answer)
    : createHttpServer(answer);
  const connections = new Set<Socket>();
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    get connectionsOpen() {
      return connections.size;
    },
  };
}
