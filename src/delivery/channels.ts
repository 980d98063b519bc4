import { join, resolve } from 'node:path';
import type { DeliveryChannel } from '../contract/deliveries.js';
import { dataDirNames } from '../storage/embedded/data-dir-entries.js';
import { composeMail, createMailer, type Mailer, parseSender, type Sender } from './mail.js';
import { DeliveryFailed, type Message } from './message.js';
import { createOutbox, type Outbox } from './outbox.js';
import { composeSms, createSmsGateway, type SmsGateway, smsTimeoutMs } from './sms.js';
import { mailTimeouts } from './smtp-lanes.js';
import { loadTemplates, renderMail, renderSms } from './templates.js';

export interface ChannelsOptions {
  readonly smtpUrl?: string | undefined;
  /** The sender of mail, like `Rollcall <rollcall@example.com>`. */
  readonly mailFrom: string;
  readonly smsGatewayUrl?: string | undefined;
  readonly smsGatewayToken?: string | undefined;
  readonly templatesDir?: string | undefined;
  readonly dataDir: string;
  /** Where people sign in. */
  readonly serviceUrl: string;
  /** Connections to the mail server at a time. */
  readonly connectionsMax: number;
  /** For one message, whatever channel it takes. */
  readonly timeoutMs: number;
}

/** The ways a message can reach a person. */
export interface Channels {
  /** For the operator: where messages go. */
  readonly description: string;
  /** Resolves when the message is out of our hands, with the channel it took; every failure is a DeliveryFailed. */
  deliver(message: Message): Promise<DeliveryChannel>;
  /** Gives up what is under way. */
  close(): void;
}

/** Throws StartupError when a template or the sender cannot be used. */
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
        ...renderMail(templates, message, options.serviceUrl),
      });
      return 'email';
    }
    if (to.phone !== null) {
      await sms.send({
        deliveryId,
        attempt,
        to: to.phone,
        text: renderSms(templates, message, options.serviceUrl),
      });
      return 'sms';
    }
    throw new DeliveryFailed('The user has neither an email address nor a phone number.');
  }

  return { description: describe(options, outboxDirectory), deliver, close: mail.close };
}

function openMail(options: ChannelsOptions, from: Sender, outbox: Outbox): Mailer {
  const { smtpUrl, connectionsMax, timeoutMs } = options;
  const timeouts = { ...mailTimeouts, messageMs: Math.min(mailTimeouts.messageMs, timeoutMs) };
  if (smtpUrl !== undefined) return createMailer({ smtpUrl, from, connectionsMax, timeouts });
  return {
    send: async (mail) => {
      const { deliveryId, attempt } = mail;
      await outbox.write({ deliveryId, attempt, ending: 'eml', content: await composeMail(from, mail) });
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
      await outbox.write({ deliveryId, attempt, ending: 'sms.json', content: composeSms(sms) });
    },
  };
}

/** Hosts alone: the URLs can hold credentials. */
function describe({ smtpUrl, smsGatewayUrl }: ChannelsOptions, outboxDirectory: string): string {
  const files = `to files in ${outboxDirectory}`;
  if (smtpUrl === undefined && smsGatewayUrl === undefined) return `Passwords go ${files}, not to people.`;
  const mail = smtpUrl === undefined ? files : `over ${new URL(smtpUrl).host}`;
  const sms = smsGatewayUrl === undefined ? files : `over ${new URL(smsGatewayUrl).host}`;
  return `Passwords go by mail ${mail} and by SMS ${sms}.`;
}
