import { attributeField } from '@rollcall/sheets';
import { formatAttribute } from '../components/attribute-value.js';
import type { Feed } from '../components/feeds.js';
import { commonCopy } from '../copy/copy.js';
import { formatDecimal, formatList } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { sourceText } from './feed.js';
import { fieldName } from './problem-text.js';

const copy = feedsCopy.settings;

type Column = Feed['mapping']['columns'][number];

/** Where the file is, and which one it is. */
export function sourceTexts(source: Feed['source']): string[] {
  const path = filePath(source);
  return [sourceText(source), ...(path === undefined ? [] : [copy.file(path)])];
}

/** The rest of an address may contain credentials. */
function filePath(source: Feed['source']): string | undefined {
  switch (source.type) {
    case 'https':
      return URL.canParse(source.url) ? new URL(source.url).pathname : undefined;
    case 'sftp':
      return source.path;
    case 's3':
      return source.key;
    default:
      return undefined;
  }
}

/** The columns that fill a field, or what it always is. */
export function sourceColumns({ columns, constant }: Column): string {
  return constant == null ? (columns ?? []).join(' + ') : copy.constant(constant);
}

const valuesShownMax = 4;

/** How the cells of a column become values, in the order in which it happens. */
export function conversionTexts(column: Column): string[] {
  const { separator, values, otherwise, padTo, prefix, dateFormat } = column;
  const meanings = Object.entries(values ?? {});
  const left = meanings.length - valuesShownMax;
  return [
    ...said(separator, copy.joined),
    ...meanings.slice(0, valuesShownMax).map(([from, to]) => copy.value(from, meaningOf(column, to))),
    ...(left > 0 ? [copy.more(left)] : []),
    ...said(otherwise, (rule) => copy.otherwise[rule]),
    ...said(padTo, copy.padTo),
    ...said(prefix, copy.prefix),
    ...said(dateFormat, copy.dateFormat),
  ];
}

/** Whether users are active is written as true or false, which nobody reads. */
function meaningOf({ field }: Column, value: string): string {
  if (field !== 'isActive' || (value !== 'true' && value !== 'false')) return value;
  return value === 'true' ? commonCopy.active : commonCopy.inactive;
}

function said<Value>(value: Value | null | undefined, text: (value: Value) => string): string[] {
  return value == null ? [] : [text(value)];
}

/** What a run may do, with the defaults of what is not set. */
export function rulesTexts({ rules, mapping }: Pick<Feed, 'rules' | 'mapping'>): string[] {
  const { create, update, rehire, deactivateMissing, deliver } = rules;
  return [
    create === false ? copy.createsNot : copy.creates,
    update === false ? copy.updatesNot : copy.updates,
    ...(rehire ? [copy.rehires] : []),
    deactivateMissing ? copy.deactivates : copy.deactivatesNot,
    copy.empty[mapping.empty ?? 'leaves'],
    ...scopeTexts(rules),
    copy.onConflict[rules.onConflict ?? 'skip'],
    copy.unknownNames[rules.unknownNames ?? 'stop'],
    copy.approval[rules.approval ?? 'beyondLimits'],
    ...(deliver === 'hold' ? [copy.held] : []),
  ];
}

function scopeTexts({ organizationSerials, tagSerials, attributes }: Feed['rules']): string[] {
  return [
    ...(organizationSerials?.length ? [copy.scope(formatList(organizationSerials))] : []),
    ...(tagSerials?.length ? [copy.tagScope(formatList(tagSerials))] : []),
    ...Object.entries(attributes ?? {}).map(([key, values]) => {
      const shown = values.map((value) => formatAttribute(undefined, value));
      return copy.attributeScope(fieldName(attributeField(key)), formatList(shown));
    }),
  ];
}

type LimitName = keyof typeof copy.limit;
const limitNames = Object.keys(copy.limit) as LimitName[];

/** The limits that somebody has set. */
export function limitRows(limits: Feed['limits']): [name: string, value: string][] {
  return limitNames.flatMap((name): [string, string][] => {
    const limit = limits[name];
    if (limit == null) return [];
    return [[copy.limit[name], typeof limit === 'number' ? formatDecimal(limit) : limit]];
  });
}

/** Which settings differ between two versions. Empty if only secrets changed. */
export function changedParts(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  const names = feedsCopy.versions.parts;
  return Object.keys(names).flatMap((part) => {
    const isSame = JSON.stringify(before[part]) === JSON.stringify(after[part]);
    return isSame ? [] : (names[part] ?? part);
  });
}
