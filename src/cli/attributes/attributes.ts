import type { CallOptions, Rollcall } from '#client';
import { type JsonOption, print, printJson, printMessage, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { counted } from '../terminal/numbers.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { err } from '../terminal/style.js';
import { table } from '../terminal/table.js';
import {
  type Attribute,
  formatSetting,
  type SettingOptions,
  settingNames,
  settingsGiven,
} from './settings.js';

/** `rollcall attributes list` */
export async function listAttributes({ json }: JsonOption): Promise<void> {
  const { items } = (await connectInteractive().call('listAttributes')).body.data;
  if (json) {
    printJson(items);
    return;
  }
  if (items.length === 0) {
    printMessage(
      'There are no attributes yet. To define one: rollcall attributes create department --type text --label en=Department',
    );
    return;
  }
  print(table([['KEY', 'TYPE', 'LABEL', 'LIMITS', 'FLAGS'], ...items.map(listed)]));
  printMessage(err.dim(`${counted(items.length, 'attribute')}.`));
}

function listed(attribute: Attribute): string[] {
  const { key, type, labels } = attribute;
  const label = labels.en ?? Object.values(labels)[0] ?? '';
  return [key, type, label, formatLimits(attribute), flagsOf(attribute).join(', ')];
}

function formatLimits({ maxLength, pattern, minimum, maximum, choices }: Attribute): string {
  const range = minimum === null && maximum === null ? [] : [`${minimum ?? ''} – ${maximum ?? ''}`.trim()];
  return [
    ...(maxLength === null ? [] : [`up to ${counted(maxLength, 'character')}`]),
    ...(pattern === null ? [] : [`matches ${pattern}`]),
    ...range,
    ...(choices === null ? [] : [choices.join(', ')]),
  ].join('; ');
}

function flagsOf(attribute: Attribute): string[] {
  return [
    ...(attribute.isRetired ? ['retired'] : []),
    ...(attribute.isUnique ? ['unique'] : []),
    ...(attribute.isSearchable ? ['searchable'] : []),
    ...(attribute.isFilterable ? ['filterable'] : []),
    ...(attribute.isSensitive ? ['sensitive'] : []),
    ...(attribute.isEditableByUser ? ['editable'] : []),
  ];
}

/** `rollcall attributes show KEY` */
export async function showAttribute(key: string, options: JsonOption): Promise<void> {
  printRecord(await attributeOf(connectInteractive(), key), options, formatAttribute);
}

function formatAttribute(attribute: Attribute): [name: string, value: string][] {
  return [
    ['key', attribute.key],
    ['type', attribute.type],
    ...settingNames.map((name): [string, string] => [name, formatSetting(attribute[name])]),
    ['created', formatTime(attribute.createdAt)],
    ['updated', formatTime(attribute.updatedAt)],
  ];
}

interface CreateOptions extends SettingOptions, JsonOption {
  readonly type: Attribute['type'];
}

/** `rollcall attributes create KEY --type TYPE` */
export async function createAttribute(key: string, options: CreateOptions): Promise<void> {
  const body = { key, type: options.type, ...settingsGiven(options) };
  const created = await connectInteractive().call('createAttribute', { body });
  printRecord(created.body.data, options, formatAttribute);
}

interface UpdateOptions extends SettingOptions, JsonOption {
  readonly key?: string | undefined;
  readonly clear?: readonly string[] | undefined;
}

/** `rollcall attributes update KEY` */
export async function updateAttribute(key: string, options: UpdateOptions): Promise<void> {
  const rollcall = connectInteractive();
  const before = options.label ? (await attributeOf(rollcall, key)).labels : {};
  const given = settingsGiven(options, before);
  const both = options.clear?.find((name) => name in given);
  if (both !== undefined) {
    throw new CommandProblem('wrongUse', `${both} is both set and cleared. Keep only one of them.`);
  }
  const cleared = Object.fromEntries((options.clear ?? []).map((name) => [name, null]));
  const body = { ...given, ...cleared, ...(options.key === undefined ? {} : { key: options.key }) };
  if (Object.keys(body).length === 0) {
    throw new CommandProblem(
      'wrongUse',
      'Nothing to change. See rollcall attributes update --help for the options.',
    );
  }
  const updated = await rollcall.call('updateAttribute', { path: { key }, body });
  printRecord(updated.body.data, options, formatAttribute);
}

/** `rollcall attributes retire KEY` */
export async function retireAttribute(key: string, { json }: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('updateAttribute', {
    path: { key },
    body: { isRetired: true },
  });
  if (json) printJson(body.data);
  else printMessage(`Retired ${key}. Users keep their values, and new ones are refused.`);
}

/** `rollcall attributes restore KEY` */
export async function restoreAttribute(key: string, { json }: JsonOption): Promise<void> {
  const body = { isRetired: false };
  const restored = await connectInteractive().call('updateAttribute', { path: { key }, body });
  if (json) printJson(restored.body.data);
  else printMessage(`Restored ${key}. Values are accepted again.`);
}

interface DeleteOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall attributes delete KEY`. Only as many users as were confirmed may have a value. */
export async function deleteAttribute(key: string, { yes, json }: DeleteOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { users } = await sendDelete(rollcall, key, { dryRun: true });
  const lost =
    users === 0 ? 'No user has a value.' : `${counted(users, 'user loses', 'users lose')} their value.`;
  await confirmOrAbort(`Delete the attribute ${key}? ${lost}`, yes);
  const deleted = await sendDelete(rollcall, key, { confirm: users });
  if (json) {
    printJson(deleted);
    return;
  }
  const had = users === 0 ? '' : ` and the values of ${counted(users, 'user')}`;
  printMessage(`Deleted ${key}${had}.`);
  if (deleted.callId) printMessage(`The values were cleared by call ${deleted.callId}.`);
}

interface Deletion {
  /** How many users have a value, or had one. */
  readonly users: number;
  readonly callId?: string | null;
}

async function sendDelete(
  rollcall: Rollcall,
  key: string,
  query: { readonly dryRun: true } | { readonly confirm: number },
): Promise<Deletion> {
  const options = { path: { key }, query } as CallOptions<'deleteAttribute'>;
  const { body } = await rollcall.call('deleteAttribute', options);
  return body.data as typeof body.data & Deletion;
}

async function attributeOf(rollcall: Rollcall, key: string): Promise<Attribute> {
  return (await rollcall.call('getAttribute', { path: { key } })).body.data;
}
