/** The public URL of a service that has none configured: the address it listens on, or localhost for all interfaces. */
export function listenUrl(host: string, port: number): string {
  const isEvery = ['', '0.0.0.0', '::', '[::]'].includes(host);
  const name = isEvery ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
