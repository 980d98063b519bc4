import { connect, type Socket } from 'node:net';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly callId: string | undefined;
}

/**
 * A connection that sends requests one after the other and reads replies with a Content-Length. If load and service
 * share two cores, the load takes CPU time from the service, and Node's own client needs four times as much.
 */
export class LightClient {
  readonly #socket: Socket;
  readonly #host: string;
  #received: Buffer[] = [];
  /** Bytes that are still expected. */
  #missing = 0;
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the service closed the connection')));
  }

  static async open(url: string): Promise<LightClient> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new LightClient(socket, host);
  }

  get(path: string, token: string): Promise<Reply> {
    return this.#send(
      `GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
  }

  post(path: string, body: string, token: string): Promise<Reply> {
    return this.send('POST', path, body, token);
  }

  /** A reply without a body may have no Content-Length. */
  send(method: 'POST' | 'PATCH', path: string, body: string, token: string): Promise<Reply> {
    return this.#send(
      `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  #send(message: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) throw new Error('the service closed the idle connection');
      this.#waiting = { resolve, reject };
      this.#socket.write(message);
    });
  }

  #read(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    const received = Buffer.concat(this.#received);
    const headEnd = received.indexOf('\r\n\r\n');
    const head = headEnd < 0 ? '' : received.toString('latin1', 0, headEnd);
    const end = headEnd + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    this.#received = [received];
    this.#missing = head ? end - received.length : 0;
    if (!head || this.#missing > 0) return;
    this.#received = [];
    this.#waiting?.resolve({
      status: Number(head.slice(9, 12)),
      text: received.toString('utf8', headEnd + 4, end),
      callId: /^x-call-id: (\S+)$/im.exec(head)?.[1],
    });
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || !this.#socket.writable;
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }
}
