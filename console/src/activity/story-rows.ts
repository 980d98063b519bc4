import { errorFrom, type Schemas } from '@rollcall/client';
import { type CsvCell, isAttributeField } from '@rollcall/sheets';
import {
  type Attribute,
  attributeName,
  attributeOf,
  formatAttribute,
} from '../components/attribute-value.js';
import { callTitle, type EntryNames, targetNames } from '../components/calls.js';
import { entriesOf } from '../components/changed-fields.js';
import type { DisplayNames } from '../components/directory.js';
import { fullEntryName } from '../components/entry-name.js';
import { errorMessage, fieldLabel } from '../components/error-message.js';
import { formatField, formatRole, isEmpty } from '../components/field-value.js';
import type { ReportedUser, UserNames } from '../components/reported-user.js';
import { changesCopy as copy, plannedCopy } from '../copy/copy.js';
import { sheetTime } from '../copy/format.js';
import {
  type Change,
  changeText,
  type DirectoryEdit,
  decisionTexts,
  nameOfEdit,
  reported,
  type StoryEntry,
} from './story.js';

type Item = Schemas['CallItem'];

/** An entry, with the user of one of its rows: from the change log, or from the result of a bulk change. */
export interface Found {
  readonly entry: StoryEntry;
  readonly change?: Change;
  readonly item?: Item;
}

/** What things are called in the file. */
export interface RowNames {
  readonly userName: UserNames;
  readonly madeBy: (actor: StoryEntry['actor']) => string;
  readonly feedName: (key: string) => string | undefined;
  readonly organizations: DisplayNames;
  readonly tags: DisplayNames;
  readonly attributes: readonly Attribute[];
}

/** The user whom it is about. */
export function userOf({ change, item }: Found): ReportedUser | undefined {
  if (change) return reported(change);
  if (!item) return undefined;
  const { employeeID, serial, effect } = item;
  return {
    employeeID: employeeID ?? '',
    ...(serial == null ? {} : { serial }),
    ...(effect ? { fields: effect.fields } : {}),
  };
}

/** A row for each field that was changed, or one that says what happened. */
export function rowsOf(found: Found, names: RowNames): CsvCell[][] {
  const { entry, change, item } = found;
  const user = userOf(found);
  const name = user && (names.userName(user) ?? '');
  const start = [
    sheetTime(change?.at ?? entry.at),
    titleOf(entry, names),
    name ?? '',
    user?.employeeID ?? '',
  ];
  const madeBy = names.madeBy(change ? change.actor : entry.actor);
  const row = (...rest: readonly [what: string, field?: string, before?: string, after?: string]) => {
    const [what, field = '', before = '', after = ''] = rest;
    return [...start, what, field, before, after, madeBy];
  };
  if (entry.edit) return editRows(entry, entry.edit, madeBy);
  if (entry.decision) return [row(copy.decision[entry.decision.kind])];
  if (item?.error) return [row(`${plannedCopy.items.failed}: ${errorMessage(errorFrom(item.error))}`)];
  const effect = change ?? item?.effect;
  if (!effect || effect.kind === 'unchanged')
    return item?.effect
      ? []
      : [row(item ? plannedCopy.items[item.outcome] : copy.failed(entry.counts.failed))];
  const what = changeText({ ...effect, kind: effect.kind });
  const rows = entriesOf(effect.fields).map(([field, sides]) => {
    const isAttribute = isAttributeField(field);
    const fieldName = isAttribute ? attributeName(field, names.attributes) : fieldLabel(field);
    return row(what, fieldName, cellOf(field, sides?.before, names), cellOf(field, sides?.after, names));
  });
  return rows.length > 0 ? rows : [row(what)];
}

function titleOf({ calls, decision, actor }: StoryEntry, names: RowNames): string {
  const entryNames: EntryNames = (directory, serial) => names[directory].get(serial);
  const nameOf = targetNames(names);
  if (decision) {
    const { title, detail } = decisionTexts(decision, entryNames, nameOf);
    return `${title}${detail}`;
  }
  if (calls === null) return '';
  const feed = actor?.kind === 'feed' ? names.feedName(actor.id) : undefined;
  return callTitle({ ...calls, actor }, feed, entryNames, nameOf);
}

function fullName(serial: string, names: DisplayNames): string {
  return fullEntryName({ serial, displayName: names.get(serial) ?? null });
}

function editRows({ at }: StoryEntry, edit: DirectoryEdit, madeBy: string): CsvCell[][] {
  const { displayName, parentSerial } = edit.fields;
  const text = copy.edit[edit.directory][edit.kind](nameOfEdit(edit));
  const row = (field: string, change?: { before: string | null; after: string | null }): CsvCell[] => [
    ...[sheetTime(at), '', nameOfEdit(edit), edit.serial, text],
    ...[field, change?.before ?? '', change?.after ?? '', madeBy],
  ];
  const rows = [
    ...(displayName ? [row(copy.edit.fields.displayName, displayName)] : []),
    ...(parentSerial ? [row(copy.edit.fields.parentSerial, parentSerial)] : []),
  ];
  return rows.length > 0 ? rows : [row('')];
}

function cellOf(field: string, value: unknown, names: RowNames): string {
  if (isAttributeField(field)) {
    return isEmpty(value) ? '' : formatAttribute(attributeOf(field, names.attributes)?.type, value);
  }
  if (field === 'role') return formatRole(value);
  if (isEmpty(value)) return '';
  if (field === 'organizationSerial') return fullName(String(value), names.organizations);
  if (field === 'tagSerials' && Array.isArray(value))
    return value.map((serial) => fullName(String(serial), names.tags)).join(', ');
  return formatField(field, value);
}
