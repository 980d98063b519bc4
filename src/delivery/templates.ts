import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type DeliveryKind,
  deliveryKinds,
  type Language,
  languages,
  type NoticeSubject,
  noticeSubjects,
} from '../contract/enums.js';
import { StartupError } from '../storage/errors.js';
import type { Message, NoticeMail, NoticeMessage } from './message.js';
import { readableTime } from './readable-time.js';
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
const mailExtensions = { subject: 'subject.txt', text: 'txt', html: 'html' } as const;
const extensions = { ...mailExtensions, sms: 'sms.txt' } as const;
type TemplateForm = keyof typeof extensions;
type MailForm = keyof typeof mailExtensions;

/** A message brings an initial password or the link to choose one, depending on the configuration. */
type UserTemplateKind = DeliveryKind | 'initial-link';
/** Notices go to people with a role, by email only. */
type TemplateKind = UserTemplateKind | 'notice';

const userTemplateKinds: readonly UserTemplateKind[] = [...deliveryKinds, 'initial-link'];

type MailTemplates = Readonly<Record<MailForm, Template>>;
type TemplatesOfLanguage = Readonly<Record<UserTemplateKind, MailTemplates & { readonly sms: Template }>> & {
  readonly notice: MailTemplates;
};
export type Templates = Readonly<Record<Language, TemplatesOfLanguage>>;

const commonValues = ['name', 'username', 'employeeID', 'signInName', 'serviceUrl', 'language'] as const;
const passwordValues = [...commonValues, 'password', 'expiresAt'] as const;
const codeValues = [...commonValues, 'code', 'expiresAt'] as const;
const linkValues = [...commonValues, 'link', 'expiresAt'] as const;
/** `{{#isReset}}…{{/isReset}}` is shown if the user had a password before. */
const invitationValues = [...linkValues, 'isReset'] as const;
/** `{{#emailChanged}}…{{/emailChanged}}` is shown if the email changed. */
const changeValues = [...commonValues, 'changedAt', ...noticeSubjects.map(flagOf)] as const;
/** `{{#lines}}{{line}}{{/lines}}` shows every line. */
const noticeValues = ['name', 'title', 'lines', 'line', 'link', 'place', 'language'] as const;

function flagOf(subject: NoticeSubject): string {
  switch (subject) {
    case 'email':
    case 'username':
    case 'password':
    case 'role':
      return `${subject}Changed`;
    default:
      return subject;
  }
}

function valueNames(kind: TemplateKind, form: TemplateForm): readonly string[] {
  if (kind === 'notice') return noticeValues;
  if (kind === 'account-changed') return changeValues;
  const values = valuesWithSecret(kind);
  // Subjects appear on lock screens and in mail server logs, so they must not contain the secret.
  return form === 'subject' ? values.filter((name) => name !== secretOf(kind)) : values;
}

function valuesWithSecret(kind: Exclude<UserTemplateKind, 'account-changed'>): readonly string[] {
  switch (kind) {
    case 'confirm-contact':
      return codeValues;
    case 'password-link':
      return linkValues;
    case 'initial-link':
      return invitationValues;
    default:
      return passwordValues;
  }
}

/** What a message of this kind is sent for. */
function secretOf(kind: TemplateKind): 'password' | 'code' | 'link' | undefined {
  if (kind === 'account-changed' || kind === 'notice') return undefined;
  if (kind === 'password-link' || kind === 'initial-link') return 'link';
  return kind === 'confirm-contact' ? 'code' : 'password';
}

/** Each template is the first that exists: of the operator or bundled, for the language or for all. */
export function loadTemplates(directory: string | undefined): Templates {
  const places = [
    ...(directory === undefined ? [] : [{ path: resolve(directory), files: filesIn(directory) }]),
    { path: bundledDirectory, files: filesIn(bundledDirectory) },
  ];
  return {
    en: templatesIn('en', places),
    de: templatesIn('de', places),
    es: templatesIn('es', places),
  };
}

interface TemplatePlace {
  readonly path: string;
  readonly files: ReadonlySet<string>;
}

function templatesIn(language: Language, places: readonly TemplatePlace[]): TemplatesOfLanguage {
  const pathOf = (file: string): string => {
    const found = places.flatMap(({ path, files }) =>
      [join(language, file), file].filter((name) => files.has(name)).map((name) => join(path, name)),
    );
    return found[0] ?? join(bundledDirectory, language, file);
  };
  const layout = readFile(pathOf(layoutFile), (source) => {
    if (!source.includes(contentTag)) throw new TemplateInvalid(`does not contain ${contentTag}`);
    return source;
  });
  const load = (kind: TemplateKind, form: TemplateForm): Template =>
    readFile(pathOf(`${kind}.${extensions[form]}`), (source) =>
      parse(form === 'html' ? inLayout(source, layout) : source, kind, form),
    );
  const loadMail = (kind: TemplateKind) => ({
    subject: load(kind, 'subject'),
    text: load(kind, 'text'),
    html: load(kind, 'html'),
  });
  const loadKind = (kind: UserTemplateKind) => ({ ...loadMail(kind), sms: load(kind, 'sms') });
  return {
    'initial-password': loadKind('initial-password'),
    'reset-password': loadKind('reset-password'),
    'account-changed': loadKind('account-changed'),
    'confirm-contact': loadKind('confirm-contact'),
    'password-link': loadKind('password-link'),
    'initial-link': loadKind('initial-link'),
    notice: loadMail('notice'),
  };
}

/** Files in the operator's directory that look like templates but replace none, most likely because of their names. */
export function ignoredTemplates(directory: string): string[] {
  const names = [
    layoutFile,
    ...userTemplateKinds.flatMap((kind) => Object.values(extensions).map((end) => `${kind}.${end}`)),
    ...Object.values(mailExtensions).map((end) => `notice.${end}`),
  ];
  const used = new Set(names.flatMap((name) => [name, ...languages.map((language) => join(language, name))]));
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:html|txt)$/.test(file) && !used.has(file))
    .sort();
}

/** The files of a directory and of its folders for languages. */
function filesIn(directory: string): ReadonlySet<string> {
  try {
    const names = readdirSync(directory);
    const folders = languages.filter((language) => names.includes(language));
    return new Set([
      ...names,
      ...folders.flatMap((folder) => readdirSync(join(directory, folder)).map((file) => join(folder, file))),
    ]);
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

function parse(source: string, kind: TemplateKind, form: TemplateForm): Template {
  const template = parseTemplate(source, valueNames(kind, form));
  const secret = form === 'subject' ? undefined : secretOf(kind);
  if (secret && !templateShows(template, secret)) throw new TemplateInvalid(`does not contain {{${secret}}}`);
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

/** What messages say about the service. */
export interface ServiceFacts {
  /** Where users sign in. */
  readonly serviceUrl: string;
  /** In which times are written. */
  readonly timeZone: string;
}

export function renderMail(templates: Templates, message: Message, service: ServiceFacts): MailTexts {
  return mailTexts(templates[message.language][message.kind], valuesOf(message, service));
}

export function renderNotice(templates: Templates, { language, name, text }: NoticeMail): MailTexts {
  const { title, lines, link, place } = text;
  const values = {
    ...{ name: oneLine(name), title: oneLine(title), link, place, language },
    lines: lines.map((line) => ({ line: oneLine(line) })),
  } satisfies Record<Exclude<(typeof noticeValues)[number], 'line'>, unknown>;
  return mailTexts(templates[language].notice, values);
}

function mailTexts({ subject, text, html }: MailTemplates, values: TemplateValues): MailTexts {
  return {
    subject: oneLine(renderTemplate(subject, values, unescaped)),
    text: renderTemplate(text, values, unescaped),
    html: renderTemplate(html, values, escapeHtml),
  };
}

export function renderSms(templates: Templates, message: Message, service: ServiceFacts): string {
  const { sms } = templates[message.language][message.kind];
  return renderTemplate(sms, valuesOf(message, service), unescaped).trimEnd();
}

/** Everything except the password is put on one line, so that a name with line breaks cannot add lines. */
function valuesOf(message: Message, { serviceUrl, timeZone }: ServiceFacts): TemplateValues {
  const { language } = message;
  const { name, username, employeeID, signInName } = message.user;
  const common = {
    name: oneLine(name),
    username: username === null ? null : oneLine(username),
    employeeID: oneLine(employeeID),
    signInName: signInName === null ? null : oneLine(signInName),
    serviceUrl: oneLine(serviceUrl),
    language,
  } satisfies Record<(typeof commonValues)[number], string | null>;
  if (message.kind !== 'account-changed') {
    return {
      ...common,
      ...secretIn(message, serviceUrl),
      expiresAt: readableTime(message.expiresAt, { language, timeZone }),
    };
  }
  const flags = message.changed.map((subject) => [flagOf(subject), 'yes']);
  const changedAt = readableTime(message.changedAt, { language, timeZone });
  return { ...common, changedAt, ...Object.fromEntries(flags) };
}

function secretIn(message: Exclude<Message, NoticeMessage>, serviceUrl: string): TemplateValues {
  if (message.kind === 'confirm-contact') return { code: message.code };
  if (message.kind === 'password-link') return { link: passwordLink(oneLine(serviceUrl), message.token) };
  if (message.kind === 'initial-link') {
    const { isReset, token } = message;
    return { link: passwordLink(oneLine(serviceUrl), token), isReset: isReset ? 'yes' : null };
  }
  return { password: message.password };
}

/** Browsers don't send what follows the hash, so the token is in no log. */
function passwordLink(serviceUrl: string, token: string): string {
  return `${serviceUrl.replace(/\/$/, '')}/new-password#${token}`;
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
