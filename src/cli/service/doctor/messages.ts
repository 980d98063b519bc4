import { connect, isIP } from 'node:net';
import { resolve } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { createTransport } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { settings } from '../../../config/settings.js';
import type { Config } from '../../../config.js';
import { languages } from '../../../contract/enums.js';
import { mailFailure } from '../../../delivery/smtp.js';
import { ignoredTemplates, loadTemplates } from '../../../delivery/templates.js';
import { StartupError } from '../../../storage/errors.js';
import { isLoopback } from './addresses.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import { checkTimeoutMs } from './time-limit.js';

const mailServer = 'mail server';

/** Connects, starts TLS and authenticates. Nothing is sent. */
export async function checkMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Promise<Finding[]> {
  if (smtpUrl === undefined) return [note(mailServer, 'not configured: messages are written to the outbox')];
  const { host, hostname, username } = new URL(smtpUrl);
  const found = `${host} is reachable${username ? ' and accepts the credentials' : ''}`;
  const secured = await tryServer(smtpUrl, 'with TLS');
  if (secured.ok) return [good(mailServer, `${found}, with TLS`), senderFinding(mailFrom)];
  const plain = secured.hasNoTls ? await tryServer(smtpUrl, 'as offered') : secured;
  if (!plain.ok)
    return [failed(mailServer, `${host}: ${plain.reason}`, 'Check SMTP_URL and the mail server.')];
  if (isLoopback(hostname)) return [good(mailServer, `${found}, on this machine`), senderFinding(mailFrom)];
  const fix = 'Use a server with STARTTLS, or smtps://: these emails contain passwords.';
  return [warning(mailServer, `${found}, but without TLS`, fix), senderFinding(mailFrom)];
}

type Attempt =
  | { readonly ok: true }
  | { readonly ok: false; readonly hasNoTls: boolean; readonly reason: string };

async function tryServer(smtpUrl: string, security: 'with TLS' | 'as offered'): Promise<Attempt> {
  const timeoutMs = checkTimeoutMs - 500;
  const transport = createTransport({
    ...parseConnectionUrl(smtpUrl),
    // Overrides the query of the URL, which could enable a logger that prints passwords.
    logger: false,
    debug: false,
    ...(security === 'with TLS' ? { requireTLS: true } : {}),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
    return { ok: true };
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    return {
      ok: false,
      hasNoTls: code === 'ETLS' && responseCode !== undefined,
      reason: mailFailure(error).reason,
    };
  } finally {
    transport.close();
  }
}

function senderFinding(mailFrom: string): Finding {
  if (mailFrom !== settings.mailFrom.fallback) return good('sender', mailFrom);
  return warning('sender', `${mailFrom}, which other mail servers reject`, 'Set ROLLCALL_MAIL_FROM.');
}

const smsGateway = 'SMS gateway';

/** Only connects, with TLS if the URL has it, so nothing can be sent. */
export async function checkSmsGateway(url: string | undefined): Promise<Finding> {
  if (url === undefined) return note(smsGateway, 'not configured: messages are written to the outbox');
  const { protocol, hostname, host, port } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const code = await whyUnreachable(address, Number(port) || (isSecure ? 443 : 80), isSecure);
  if (code !== undefined) {
    return failed(smsGateway, `cannot reach ${host} (${code})`, 'Check SMS_GATEWAY_URL and the gateway.');
  }
  if (isSecure) return good(smsGateway, `${host} is reachable, with TLS`);
  if (isLoopback(hostname)) return good(smsGateway, `${host} is reachable, on this machine`);
  return warning(
    smsGateway,
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

export function checkTemplates({
  templatesDir,
  language,
}: Pick<Config, 'templatesDir' | 'language'>): Finding {
  try {
    loadTemplates(templatesDir);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return failed('templates', error.message, 'Fix the file, or ROLLCALL_TEMPLATES_DIR.');
  }
  const ignored = templatesDir ? ignoredTemplates(templatesDir) : [];
  if (ignored.length > 0) {
    return warning(
      'templates',
      `no message uses ${ignored.join(', ')} in ${templatesDir}`,
      `Name files like the built-in ones, in the directory itself or in a folder named ${languages.join(', ')}.`,
    );
  }
  const used = templatesDir ? `using those in ${resolve(templatesDir)}` : 'using the built-in templates';
  return good(
    'templates',
    `${used}, in ${languages.join(', ')}; ${language} unless a user has another language`,
  );
}
