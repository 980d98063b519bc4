import { createTransport } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { settings } from '../../../config/settings.js';
import type { Config } from '../../../config.js';
import { mailFailure } from '../../../delivery/mail-failure.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import { isLoopback } from './public-url.js';
import { checkLimitMs } from './time-limit.js';

const check = 'mail server';

/** Connects, asks for TLS, signs in, and leaves: nothing is sent. */
export async function checkMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Promise<Finding[]> {
  if (smtpUrl === undefined) return [note(check, 'none is set: messages become files in the outbox')];
  const { host, hostname, username } = new URL(smtpUrl);
  const found = `${host} can be used${username ? ', and takes the credentials' : ''}`;
  const secured = await tried(smtpUrl, 'with TLS');
  if (secured.ok) return [good(check, `${found}, with TLS`), senderFinding(mailFrom)];
  const plain = secured.hasNoTls ? await tried(smtpUrl, 'as it comes') : secured;
  if (!plain.ok) return [failed(check, `${host}: ${plain.reason}`, 'Check SMTP_URL and the mail server.')];
  if (isLoopback(hostname)) return [good(check, `${found}, on this machine`), senderFinding(mailFrom)];
  const mend = 'Use a server with STARTTLS, or smtps://: passwords are in these mails.';
  return [warning(check, `${found}, but without TLS`, mend), senderFinding(mailFrom)];
}

type Tried =
  | { readonly ok: true }
  | { readonly ok: false; readonly hasNoTls: boolean; readonly reason: string };

async function tried(smtpUrl: string, how: 'with TLS' | 'as it comes'): Promise<Tried> {
  const patienceMs = checkLimitMs - 500;
  const transport = createTransport({
    ...parseConnectionUrl(smtpUrl),
    // From here on nothing can be set by the query of the URL: a logger would write passwords to the terminal.
    logger: false,
    debug: false,
    ...(how === 'with TLS' ? { requireTLS: true } : {}),
    dnsTimeout: patienceMs,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
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
  return warning('sender', `${mailFrom}, which mail servers elsewhere refuse`, 'Set ROLLCALL_MAIL_FROM.');
}
