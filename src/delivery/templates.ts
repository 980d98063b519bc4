import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DeliveryKind, type NoticeSubject, noticeSubjects } from '../contract/enums.js';
import { StartupError } from '../storage/errors.js';
import type { Message } from './message.js';
import {
  parseTemplate,
  renderTemplate,
  type Template,
  TemplateInvalid,
  type TemplateValues,
  templateShows,
} from './template-text.js';

/** From src/delivery and from dist/delivery alike. */
const bundledDirectory = fileURLToPath(new URL('../../templates/', import.meta.url));

const endings = { subject: 'subject.txt', text: 'txt', html: 'html', sms: 'sms.txt' } as const;
type TemplateForm = keyof typeof endings;

export type Templates = Readonly<Record<DeliveryKind, Readonly<Record<TemplateForm, Template>>>>;

const commonValues = ['name', 'username', 'employeeID', 'serviceUrl'] as const;
const passwordValues = ['name', 'username', 'employeeID', 'password', 'expiresAt', 'serviceUrl'] as const;
/** `{{#emailChanged}}…{{/emailChanged}}` is kept if the email changed. */
const noticeValues = [...commonValues, 'changedAt', ...noticeSubjects.map(flagOf)] as const;

function flagOf<S extends NoticeSubject>(subject: S): `${S}Changed` {
  return `${subject}Changed`;
}

function valueNames(kind: DeliveryKind, form: TemplateForm): readonly string[] {
  if (kind === 'account-changed') return noticeValues;
  // Subjects are shown on lock screens and kept in the logs of mail servers: no place for a password.
  return form === 'subject' ? passwordValues.filter((name) => name !== 'password') : passwordValues;
}

/** The bundled templates, of which each is replaced by the file of the same name in the operator's directory. */
export function loadTemplates(directory: string | undefined): Templates {
  const own = directory === undefined ? undefined : { path: resolve(directory), files: filesIn(directory) };
  const load = (kind: DeliveryKind, form: TemplateForm): Template => {
    const file = `${kind}.${endings[form]}`;
    return readTemplate(join(own?.files.includes(file) ? own.path : bundledDirectory, file), kind, form);
  };
  const loadKind = (kind: DeliveryKind) => ({
    subject: load(kind, 'subject'),
    text: load(kind, 'text'),
    html: load(kind, 'html'),
    sms: load(kind, 'sms'),
  });
  return {
    'initial-password': loadKind('initial-password'),
    'reset-password': loadKind('reset-password'),
    'account-changed': loadKind('account-changed'),
  };
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw new StartupError(
      `The directory of templates, ${resolve(directory)}, cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

function readTemplate(path: string, kind: DeliveryKind, form: TemplateForm): Template {
  try {
    const source = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    const template = parseTemplate(source, valueNames(kind, form));
    const saysPassword = kind !== 'account-changed' && form !== 'subject';
    if (saysPassword && !templateShows(template, 'password')) {
      throw new TemplateInvalid('does not say the {{password}}, which is what the message is for');
    }
    return template;
  } catch (error) {
    if (error instanceof TemplateInvalid) throw new StartupError(`The template ${path} ${error.message}.`);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new StartupError(`The template ${path} is not UTF-8.`);
    if (code !== undefined) throw new StartupError(`The template ${path} cannot be read (${code}).`);
    throw error;
  }
}

export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(templates: Templates, message: Message, serviceUrl: string): MailTexts {
  const { subject, text, html } = templates[message.kind];
  const values = valuesOf(message, serviceUrl);
  return {
    subject: oneLine(renderTemplate(subject, values, asIs)),
    text: renderTemplate(text, values, asIs),
    html: renderTemplate(html, values, escapeHtml),
  };
}

export function renderSms(templates: Templates, message: Message, serviceUrl: string): string {
  return renderTemplate(templates[message.kind].sms, valuesOf(message, serviceUrl), asIs).trimEnd();
}

/** All but the password are put on one line: a name with line breaks could otherwise write lines of its own. */
function valuesOf(message: Message, serviceUrl: string): TemplateValues {
  const { name, username, employeeID } = message.user;
  const common = {
    name: oneLine(name),
    username: username === null ? null : oneLine(username),
    employeeID: oneLine(employeeID),
    serviceUrl: oneLine(serviceUrl),
  } satisfies Record<(typeof commonValues)[number], string | null>;
  if (message.kind !== 'account-changed') {
    return { ...common, password: message.password, expiresAt: readableTime(message.expiresAt) };
  }
  const flags = message.changed.map((subject) => [flagOf(subject), 'yes']);
  return { ...common, changedAt: readableTime(message.changedAt), ...Object.fromEntries(flags) };
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function asIs(value: string): string {
  return value;
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '');
}

const day = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** "22 November 2026, 08:30 UTC": where the reader is, nobody knows. */
function readableTime(time: Date): string {
  return `${day.format(time)}, ${time.toISOString().slice(11, 16)} UTC`;
}
