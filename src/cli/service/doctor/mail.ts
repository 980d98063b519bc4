import { createTransport } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { settings } from '../../../config/settings.js';
import type { Config } from '../../../config.js';
import { mailFailure } from '../../../delivery/smtp.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import { isLoopback } from './public-url.js';
import { checkTimeoutMs } from './time-limit.js';

const check = 'mail server';

/** Connects, starts TLS and authenticates. Nothing is sent. */
export async function checkMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Promise<Finding[]> {
  if (smtpUrl === undefined) return [note(check, 'not configured: messages are written to the outbox')];
  const { host, hostname, username } = new URL(smtpUrl);
  const found = `${host} is reachable${username ? ' and accepts the credentials' : ''}`;
  const secured = await tryServer(smtpUrl, 'with TLS');
  if (secured.ok) return [good(check, `${found}, with TLS`), senderFinding(mailFrom)];
  const plain = secured.hasNoTls ? await tryServer(smtpUrl, 'as offered') : secured;
  if (!plain.ok) return [failed(check, `${host}: ${plain.reason}`, 'Check SMTP_URL and the mail server.')];
  if (isLoopback(hostname)) return [good(check, `${found}, on this machine`), senderFinding(mailFrom)];
  const fix = 'Use a server with STARTTLS, or smtps://: these emails contain passwords.';
  return [warning(check, `${found}, but without TLS`, fix), senderFinding(mailFrom)];
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
