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

/** The same path from src/delivery and dist/delivery. */
const bundledDirectory = fileURLToPath(new URL('../../templates/', import.meta.url));

const layoutFile = 'layout.html';
const extensions = { subject: 'subject.txt', text: 'txt', html: 'html', sms: 'sms.txt' } as const;
type TemplateForm = keyof typeof extensions;

export type Templates = Readonly<Record<DeliveryKind, Readonly<Record<TemplateForm, Template>>>>;

const commonValues = ['name', 'username', 'employeeID', 'signInName', 'serviceUrl'] as const;
const passwordValues = [...commonValues, 'password', 'expiresAt'] as const;
/** `{{#emailChanged}}…{{/emailChanged}}` is shown if the email changed. */
const noticeValues = [...commonValues, 'changedAt', ...noticeSubjects.map(flagOf)] as const;

function flagOf<S extends NoticeSubject>(subject: S): `${S}Changed` {
  return `${subject}Changed`;
}

function valueNames(kind: DeliveryKind, form: TemplateForm): readonly string[] {
  if (kind === 'account-changed') return noticeValues;
  // Subjects appear on lock screens and in mail server logs, so they must not contain the password.
  return form === 'subject' ? passwordValues.filter((name) => name !== 'password') : passwordValues;
}

/** The bundled templates, each overridden by the file of the same name in the operator's directory. */
export function loadTemplates(directory: string | undefined): Templates {
  const custom =
    directory === undefined ? undefined : { path: resolve(directory), files: filesIn(directory) };
  const pathOf = (file: string) => join(custom?.files.includes(file) ? custom.path : bundledDirectory, file);
  const layout = readFile(pathOf(layoutFile), (source) => {
    if (!source.includes(contentTag)) throw new TemplateInvalid(`does not contain ${contentTag}`);
    return source;
  });
  const load = (kind: DeliveryKind, form: TemplateForm): Template =>
    readFile(pathOf(`${kind}.${extensions[form]}`), (source) =>
      parse(form === 'html' ? inLayout(source, layout) : source, kind, form),
    );
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
      `The templates directory ${resolve(directory)} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

const contentTag = '{{content}}';

/** An HTML template is the content of the layout, unless it is a whole document. */
function inLayout(source: string, layout: string): string {
  return /^\s*<(?:!doctype|html)\b/i.test(source)
    ? source
    : layout.replace(contentTag, () => source.trimEnd());
}

function parse(source: string, kind: DeliveryKind, form: TemplateForm): Template {
  const template = parseTemplate(source, valueNames(kind, form));
  const needsPassword = kind !== 'account-changed' && form !== 'subject';
  if (needsPassword && !templateShows(template, 'password')) {
    throw new TemplateInvalid('does not contain {{password}}');
  }
  return template;
}

function readFile<T>(path: string, use: (source: string) => T): T {
  try {
    return use(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
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
    subject: oneLine(renderTemplate(subject, values, unescaped)),
    text: renderTemplate(text, values, unescaped),
    html: renderTemplate(html, values, escapeHtml),
  };
}

export function renderSms(templates: Templates, message: Message, serviceUrl: string): string {
  return renderTemplate(templates[message.kind].sms, valuesOf(message, serviceUrl), unescaped).trimEnd();
}

/** Everything except the password is put on one line, so that a name with line breaks cannot add lines. */
function valuesOf(message: Message, serviceUrl: string): TemplateValues {
  const { name, username, employeeID, signInName } = message.user;
  const common = {
    name: oneLine(name),
    username: username === null ? null : oneLine(username),
    employeeID: oneLine(employeeID),
    signInName: signInName === null ? null : oneLine(signInName),
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

function unescaped(value: string): string {
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

/** "22 November 2026, 08:30 UTC". The time zone of the reader is unknown. */
function readableTime(time: Date): string {
  return `${day.format(time)}, ${time.toISOString().slice(11, 16)} UTC`;
}
