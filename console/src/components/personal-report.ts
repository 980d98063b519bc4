import { attributeField, personalReport, type ReportedActor, type ReportTexts } from '@rollcall/sheets';
import { noticesCopy, profileCopy } from '../copy/account-copy.js';
import { activityCopy, changesCopy, commonCopy, sessionsCopy, userPageCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { language, languageChoices } from '../copy/language.js';
import { reportCopy as copy } from '../copy/on-demand-copy.js';
import { attributeName, attributeOf, formatAttribute, rememberedAttributes } from './attribute-value.js';
import { downloadHtml } from './download.js';
import { fieldLabel } from './error-message.js';
import { formatField, formatRole, formatValue } from './field-value.js';

/** The report about someone, in the language of whoever makes it. */
function reportTexts(name: string, isOwn: boolean): ReportTexts {
  const now = formatDateTime(new Date().toISOString());
  return {
    language,
    title: copy.title(name),
    lead: isOwn ? copy.ownLead(now) : copy.lead(now),
    nothing: copy.nothing,
    nameOf,
    textOf,
    whoOf: (actor) => whoOf(actor, isOwn),
  };
}

function nameOf(name: string): string {
  if (Object.hasOwn(copy.names, name)) return copy.names[name as keyof typeof copy.names];
  const isAttribute = attributeOf(attributeField(name), rememberedAttributes()) !== undefined;
  return isAttribute ? attributeName(attributeField(name), rememberedAttributes()) : fieldLabel(name);
}

/** What the values of a column are called. */
const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'changes.kind': userPageCopy.timeline.titles,
  'messages.kind': activityCopy.deliveries.kind,
  'messages.state': activityCopy.deliveries.state,
  'accessEvents.kind': activityCopy.signIns.kind,
  'changes.by': profileCopy.history.by,
  'sessions.method': sessionsCopy.all.methods,
  'calls.kind': activityCopy.calls.kind,
  'notices.topic': noticesCopy.topics,
  'user.language': Object.fromEntries(languageChoices),
};

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function textOf(part: string, name: string, value: unknown): string {
  if (name === 'role') return formatRole(value);
  if (part === 'formerNames' && name === 'kind') return fieldLabel(String(value));
  if (part === 'confirmedContacts' && name === 'field') return fieldLabel(String(value));
  if (typeof value === 'string') {
    const known = choices[`${part}.${name}`];
    if (known && Object.hasOwn(known, value)) return known[value] ?? value;
    return time.test(value) ? formatDateTime(value) : formatValue(value);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return JSON.stringify(value);
  const attribute = attributeOf(attributeField(name), rememberedAttributes());
  return attribute ? formatAttribute(attribute.type, value) : formatField(name, value);
}

/** Whoever sees only their own data doesn't know who was erased. */
function whoOf(actor: ReportedActor | null, isOwn: boolean): string {
  const { service, client, unknown } = activityCopy.actors;
  if (actor === null) return service;
  const { kind, id, name } = actor;
  if (kind === 'person') return name ?? (isOwn ? unknown : changesCopy.erasedUser);
  if (kind === 'client') return client(name ?? id);
  return kind === 'feed' ? commonCopy.feedActor(name ?? id) : id;
}

interface Whom {
  readonly employeeID: string;
  readonly name: string;
}

/**
 * Saves what is stored about someone as a page, and returns the name of the file. Users see less of their own than
 * administrators.
 */
export function downloadReport(
  { employeeID, name }: Whom,
  data: Readonly<Record<string, unknown>>,
  isOwn = false,
): string {
  const file = copy.file(employeeID);
  downloadHtml(file, personalReport(data, reportTexts(name, isOwn)));
  return file;
}
