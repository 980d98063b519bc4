import { Agent, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface HttpClient {
  send(method: 'POST' | 'PATCH' | 'PUT', path: string, body: unknown): Promise<Reply>;
  close(): void;
}

/** No call in this comparison takes nearly as long, and a hanging peer must not block the run. */
const replyTimeoutMs = 60_000;

/** Node's own client with persistent connections, the same for all peers. */
export function httpClient(url: string, headers: Readonly<Record<string, string>>): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(body);
        const sent = request(
          `${url}${path}`,
          {
            method,
            agent,
            timeout: replyTimeoutMs,
            headers: {
              ...headers,
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            },
          },
          (response) => {
            const parts: Buffer[] = [];
            response.on('data', (part: Buffer) => parts.push(part));
            response.on('error', reject);
            response.on('end', () =>
              resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
            );
          },
        );
        sent.on('timeout', () => sent.destroy(new Error(`no reply within ${replyTimeoutMs / 1_000} s`)));
        sent.on('error', reject);
        sent.end(text);
      }),
    close: () => agent.destroy(),
  };
}

/** The reply as JSON, provided it has the expected status. */
export function expectReply(reply: Reply, status: number): unknown {
  if (reply.status !== status) throw new Error(`HTTP ${reply.status}: ${reply.text.slice(0, 300)}`);
  return reply.text === '' ? undefined : JSON.parse(reply.text);
}
