import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How a server behaves: it accepts connections and says nothing, or begins an answer that never ends, or refuses. */
export type Manner = 'silent' | 'slow' | 'refusing';

export interface UnhelpfulServer {
  readonly port: number;
  /** How many connections it has accepted. */
  readonly connections: number;
  stop(): Promise<void>;
}

/** Each line is valid in an SMTP greeting and in the headers of an HTTP response. */
const beginning = { smtp: '220-wait\r\n', http: 'HTTP/1.1 200 OK\r\n' } as const;
const continuation = { smtp: '220-wait\r\n', http: 'x-wait: 1\r\n' } as const;

export async function openUnhelpfulServer(
  manner: Manner,
  protocol: keyof typeof beginning,
): Promise<UnhelpfulServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket.on('error', () => {}));
    if (manner === 'silent') return;
    socket.write(beginning[protocol]);
    const timer = setInterval(() => socket.write(continuation[protocol]), 100);
    socket.once('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  if (manner === 'refusing') await stop();
  return {
    port,
    get connections() {
      return connections;
    },
    stop,
  };
}
