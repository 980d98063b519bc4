import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { nearest } from '../../config/nearest.js';
import { createAttributeFields, patchAttributeFields } from '../../contract/attributes.js';
import { type SettingName, settingNames } from './settings.js';

/** An attribute as a file describes it. Null resets a setting. */
export interface DescribedAttribute {
  readonly key: string;
  readonly type: string | undefined;
  readonly settings: ReadonlyMap<SettingName, unknown>;
  readonly line: number;
}

export interface FileProblem {
  readonly line: number;
  readonly text: string;
}

export type ReadFile =
  | { readonly ok: true; readonly attributes: readonly DescribedAttribute[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

const { key: keyUse, type: typeUse } = createAttributeFields;
const uses = { ...createAttributeFields, ...patchAttributeFields };
const names: readonly string[] = ['key', 'type', ...settingNames];

/** Reads `attributes: [{ key, type, … }]`, with a line number for everything that is wrong. */
export function readAttributeFile(text: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (node: unknown) => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line;
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos: [at] }) => ({
      line: lines.linePos(at).line,
      text: `Not valid YAML: ${message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}.`,
    }));
    return { ok: false, problems };
  }
  return readDocument(document, lineOf);
}

function readDocument(document: Document.Parsed, lineOf: (node: unknown) => number): ReadFile {
  const problems: FileProblem[] = [];
  const root = document.contents;
  const items = isMap(root) ? root.get('attributes', true) : undefined;
  if (!isMap(root) || !isSeq(items)) {
    const text = 'The file must have a list under "attributes:". See rollcall attributes apply --help.';
    return { ok: false, problems: [{ line: lineOf(items ?? root), text }] };
  }
  for (const { key } of root.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (name !== 'attributes') {
      problems.push({ line: lineOf(key), text: `"${name}" is unknown. The file has only "attributes".` });
    }
  }
  const attributes: DescribedAttribute[] = [];
  for (const item of items.items) {
    const read = readItem(item, document, lineOf, problems);
    if (!read) continue;
    const same = attributes.find(({ key }) => key.toLowerCase() === read.key.toLowerCase());
    if (same)
      problems.push({ line: read.line, text: `"${read.key}" is described in line ${same.line} already.` });
    attributes.push(read);
  }
  return problems.length === 0 ? { ok: true, attributes } : { ok: false, problems };
}

/** Undefined if the item has no key by which problems could be understood. */
function readItem(
  item: unknown,
  document: Document.Parsed,
  lineOf: (node: unknown) => number,
  problems: FileProblem[],
): DescribedAttribute | undefined {
  const note = (node: unknown, text: string) => void problems.push({ line: lineOf(node), text });
  if (!isMap(item)) {
    note(item, 'An attribute must be an object with a key and a type.');
    return undefined;
  }
  const settings = new Map<SettingName, unknown>();
  const own = new Map<string, unknown>();
  for (const { key: nameNode, value: valueNode } of item.items) {
    const name = isScalar(nameNode) ? String(nameNode.value) : '';
    if (!isUsed(name)) {
      const meant = nearest(name, names);
      note(
        nameNode,
        `"${name}" is not a setting.${meant ? ` Did you mean "${meant}"?` : ` Settings are ${names.join(', ')}.`}`,
      );
      continue;
    }
    const { field, required } = uses[name];
    const read = readValue(valueNode, document);
    if (!read.ok) {
      note(valueNode, `"${name}" cannot be read: ${read.reason}.`);
      continue;
    }
    const { sent } = read;
    const value = sent === null ? null : field.normalize(sent);
    if (value === null ? required : !field.accepts(value)) {
      note(valueNode ?? nameNode, `"${name}" must be ${field.rule}.`);
    } else if (name === 'key' || name === 'type') own.set(name, value);
    else settings.set(name, value);
  }
  const key = own.get('key');
  if (!item.has('key')) note(item, `"key" is missing. It must be ${keyUse.field.rule}.`);
  if (!keyUse.field.accepts(key)) return undefined;
  const type = own.get('type');
  return { key, type: typeUse.field.accepts(type) ? type : undefined, settings, line: lineOf(item) };
}

function isUsed(name: string): name is keyof typeof uses {
  return names.includes(name);
}

type ReadValue =
  | { readonly ok: true; readonly sent: unknown }
  | { readonly ok: false; readonly reason: string };

/** Aliases are followed only now, and can lead nowhere, or to too much. */
function readValue(node: unknown, document: Document.Parsed): ReadValue {
  try {
    return { ok: true, sent: (node as Node | null)?.toJS(document) ?? null };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { ok: false, reason: error.message };
  }
}
