import { createServer, type Server } from 'node:http';
import { metricsContentType } from './metrics.js';

/** Scrapers usually wait ten seconds. Whoever is silent for longer gives up the connection to others. */
const silenceMaxMs = 15_000;

/** Serves `GET /metrics`, and nothing else, at an address of its own. */
export function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  text: () => Promise<string>,
): Promise<Server> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, plain).end('Not found. The metrics are at /metrics.\n');
    } else if (!isRead) {
      response.writeHead(405, { ...plain, allow: 'GET, HEAD' }).end('Send GET.\n');
    } else {
      text().then(
        (metrics) => response.writeHead(200, { 'content-type': metricsContentType }).end(metrics),
        () => response.writeHead(503, plain).end('The metrics are not available. Try again.\n'),
      );
    }
  });
  server.maxConnections = 50;
  server.setTimeout(silenceMaxMs);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

const plain = { 'content-type': 'text/plain; charset=utf-8' };
