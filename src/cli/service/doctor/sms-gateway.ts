import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { type Finding, failed, good, note, warning } from './finding.js';
import { isLoopback } from './public-url.js';

const check = 'SMS gateway';

/** Only connects, with TLS if the URL has it, so nothing can be sent. */
export async function checkSmsGateway(url: string | undefined): Promise<Finding> {
  if (url === undefined) return note(check, 'not configured: messages are written to the outbox');
  const { protocol, hostname, host, port } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const code = await whyUnreachable(address, Number(port) || (isSecure ? 443 : 80), isSecure);
  if (code !== undefined) {
    return failed(check, `cannot reach ${host} (${code})`, 'Check SMS_GATEWAY_URL and the gateway.');
  }
  if (isSecure) return good(check, `${host} is reachable, with TLS`);
  if (isLoopback(hostname)) return good(check, `${host} is reachable, on this machine`);
  return warning(
    check,
    `${host} is reachable, but without TLS`,
    'Use an https:// URL: these messages contain passwords.',
  );
}

function whyUnreachable(host: string, port: number, isSecure: boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    const answered = () => {
      socket.destroy();
      resolve(undefined);
    };
    const socket = isSecure
      ? connectSecurely({ host, port, ...(isIP(host) ? {} : { servername: host }) }, answered)
      : connect({ host, port }, answered);
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
  });
}
