import { join, resolve } from 'node:path';
import type { DeliveryChannel } from '../contract/deliveries.js';
import { dataDirNames } from '../storage/embedded/data-dir.js';
import { composeMail, createMailer, type Mailer, parseSender, type Sender } from './mail.js';
import { DeliveryFailed, type Message, type NoticeMail } from './message.js';
import { createOutbox, type Outbox } from './outbox.js';
import { composeSms, createSmsGateway, type SmsGateway, smsTimeoutMs } from './sms.js';
import { mailTimeouts } from './smtp.js';
import { loadTemplates, renderMail, renderNotice, renderSms, type ServiceFacts } from './templates.js';

export interface ChannelsOptions extends ServiceFacts {
  readonly smtpUrl?: string | undefined;
  /** The sender of emails, such as `Rollcall <rollcall@example.com>`. */
  readonly mailFrom: string;
  readonly smsGatewayUrl?: string | undefined;
  readonly smsGatewayToken?: string | undefined;
  readonly templatesDir?: string | undefined;
  readonly dataDir: string;
  /** Concurrent connections to the mail server. */
  readonly connectionsMax: number;
  /** Per message, on any channel. */
  readonly timeoutMs: number;
}

/** Email and SMS. */
export interface Channels {
  /** Tells the operator where messages go. */
  readonly description: string;
  /** Resolves to the channel once the message is handed over; every failure is a DeliveryFailed. */
  deliver(message: Message): Promise<DeliveryChannel>;
  /** Resolves once the email is handed over; every failure is a DeliveryFailed. */
  notify(notice: NoticeMail): Promise<void>;
  /** Aborts messages being sent. */
  close(): void;
}

/** Throws StartupError if a template or the sender is invalid. */
export function openChannels(options: ChannelsOptions): Channels {
  const templates = loadTemplates(options.templatesDir);
  const from = parseSender(options.mailFrom);
  const outboxDirectory = join(resolve(options.dataDir), dataDirNames.outbox);
  const outbox = createOutbox(outboxDirectory);
  const mail = openMail(options, from, outbox);
  const sms = openSms(options, outbox);

  async function deliver(message: Message): Promise<DeliveryChannel> {
    const { deliveryId, attempt, to } = message;
    if (to.email !== null) {
      await mail.send({
        deliveryId,
        attempt,
        to: to.email,
        ...renderMail(templates, message, options),
      });
      return 'email';
    }
    if (to.phone !== null) {
      await sms.send({
        deliveryId,
        attempt,
        to: to.phone,
        text: renderSms(templates, message, options),
      });
      return 'sms';
    }
    throw new DeliveryFailed('noAddress');
  }

  function notify(notice: NoticeMail): Promise<void> {
    const { deliveryId, attempt, to } = notice;
    return mail.send({ deliveryId, attempt, to, ...renderNotice(templates, notice) });
  }

  return { description: describe(options, outboxDirectory), deliver, notify, close: mail.close };
}

function openMail(options: ChannelsOptions, from: Sender, outbox: Outbox): Mailer {
  const { smtpUrl, connectionsMax, timeoutMs } = options;
  const timeouts = { ...mailTimeouts, messageMs: Math.min(mailTimeouts.messageMs, timeoutMs) };
  if (smtpUrl !== undefined) return createMailer({ smtpUrl, from, connectionsMax, timeouts });
  return {
    send: async (mail) => {
      const { deliveryId, attempt } = mail;
      await outbox.write({ deliveryId, attempt, extension: 'eml', content: await composeMail(from, mail) });
    },
    close: () => {},
  };
}

function openSms(options: ChannelsOptions, outbox: Outbox): SmsGateway {
  const { smsGatewayUrl: url, smsGatewayToken: token, timeoutMs } = options;
  if (url !== undefined)
    return createSmsGateway({ url, token, timeoutMs: Math.min(smsTimeoutMs, timeoutMs) });
  return {
    send: async (sms) => {
      const { deliveryId, attempt } = sms;
      await outbox.write({ deliveryId, attempt, extension: 'sms.json', content: composeSms(sms) });
    },
  };
}

/** Shows only hosts, because the URLs can contain credentials. */
function describe({ smtpUrl, smsGatewayUrl }: ChannelsOptions, outboxDirectory: string): string {
  const files = `to files in ${outboxDirectory}`;
  if (smtpUrl === undefined && smsGatewayUrl === undefined) return `Passwords go ${files}, not to users.`;
  const mail = smtpUrl === undefined ? files : `via ${new URL(smtpUrl).host}`;
  const sms = smsGatewayUrl === undefined ? files : `via ${new URL(smsGatewayUrl).host}`;
  return `Passwords go by email ${mail} and by SMS ${sms}.`;
}
