import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './postgres-server.js';

/** A way to a service that can be cut, so that connections are refused as if the service had stopped. */
export class CuttableProxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** On the same port every time. */
  async open(): Promise<void> {
    this.#port ||= await freePort();
    this.#server = createServer((socket) => {
      const service = connect(Number(this.#target.port), this.#target.hostname);
      for (const [one, other] of [
        [socket, service],
        [service, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy()).on('close', () => this.#sockets.delete(one));
        one.pipe(other);
      }
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async cut(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = undefined;
  }
}
