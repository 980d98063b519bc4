/** Where callers reach a service that was not told: where it listens. Every interface includes this machine's own. */
export function listenUrl(host: string, port: number): string {
  const isEvery = ['', '0.0.0.0', '::', '[::]'].includes(host);
  const name = isEvery ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
