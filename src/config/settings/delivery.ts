import { isEmail } from '../../contract/email.js';
import { languages } from '../../contract/enums.js';
import {
  choice,
  onOrOff,
  optionalSecret,
  optionalSecretUrl,
  optionalText,
  type Setting,
  wholeNumber,
} from '../kinds.js';

/** Messages to users, by email and SMS. */
export const deliverySettings = {
  smtpUrl: optionalSecretUrl(
    'SMTP_URL',
    ['smtp', 'smtps'],
    'Mail server, as `smtp://user:password@host:587` or `smtps://…:465`. Unset: messages are written to `outbox/` in the data directory.',
    (url) => url.hostname !== '',
  ),
  mailFrom: {
    name: 'ROLLCALL_MAIL_FROM',
    description: 'Sender of emails: an address, or `Name <address>`.',
    fallback: 'Rollcall <rollcall@localhost>',
    valueName: 'sender',
    expects: 'an email address, or a name followed by one in <>',
    parse: (value: string) => {
      const [, address = value] = /^[^<>\p{C}]*<([^<>]+)>$/u.exec(value) ?? [];
      return isEmail(address) ? value : undefined;
    },
  } satisfies Setting<string>,
  smsGatewayUrl: optionalSecretUrl(
    'SMS_GATEWAY_URL',
    ['http', 'https'],
    'URL that receives a POST of `{"id", "to", "text"}` for users with a phone number but no email address. Unset: messages are written to the outbox.',
  ),
  smsGatewayToken: {
    ...optionalSecret('SMS_GATEWAY_TOKEN', 'token', 'Bearer token for the SMS gateway.'),
    expects: 'printable ASCII characters without spaces',
    parse: (value: string) => (/^[\x21-\x7e]+$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  templatesDir: optionalText(
    'ROLLCALL_TEMPLATES_DIR',
    'directory',
    'Directory whose files override [message templates](operating.md#email-and-sms) of the same name.',
  ),
  language: choice(
    'ROLLCALL_LANGUAGE',
    languages,
    'en',
    'Language of messages to users who have none of their own.',
  ),
  changeNotices: choice(
    'ROLLCALL_CHANGE_NOTICES',
    onOrOff,
    'on',
    'Whether users are notified when their email, username, password, second factors or role change. Notices go to the previous address.',
  ),
  bulkChangeNotices: choice(
    'ROLLCALL_BULK_CHANGE_NOTICES',
    onOrOff,
    'off',
    'Whether bulk calls notify users as well, unless a call says otherwise (`notify=`).',
  ),
  noticeWebhookUrl: optionalSecretUrl(
    'ROLLCALL_NOTICE_WEBHOOK_URL',
    ['https', 'http'],
    'URL of a chat that gets every [notice](operating.md#notices): an incoming webhook of Slack, Microsoft Teams, or another chat that accepts `{"text"}`.',
    (url) => url.username === '' && url.password === '',
  ),
  deliveriesAtOnce: wholeNumber(
    'ROLLCALL_DELIVERIES_AT_ONCE',
    4,
    0,
    64,
    'Messages that this node sends concurrently. 0 leaves sending to other nodes.',
  ),
} as const;
