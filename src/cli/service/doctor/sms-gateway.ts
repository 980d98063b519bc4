import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { type Finding, failed, good, note, warning } from './finding.js';
import { isLoopback } from './public-url.js';

const check = 'SMS gateway';

/** A connection alone, with TLS where the URL has it: no request is made, so nothing can be sent. */
export async function checkSmsGateway(url: string | undefined): Promise<Finding> {
  if (url === undefined) return note(check, 'none is set: messages become files in the outbox');
  const { protocol, hostname, host, port } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const code = await whyUnreachable(address, Number(port) || (isSecure ? 443 : 80), isSecure);
  if (code !== undefined) {
    return failed(check, `${host} cannot be reached (${code})`, 'Check SMS_GATEWAY_URL and the gateway.');
  }
  if (isSecure) return good(check, `${host} can be reached, with TLS`);
  if (isLoopback(hostname)) return good(check, `${host} can be reached, on this machine`);
  return warning(
    check,
    `${host} can be reached, but without TLS`,
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
