import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { nearest } from '../config/nearest.js';
import type { FieldUse } from '../contract/shapes.js';
import { host, pathOf } from './host.js';
import { CommandProblem } from './problem.js';
import { sanitize } from './terminal/text-width.js';

/** A list that a YAML file describes: `attributes: [{ key, … }]`. */
export interface DescribedList<Name extends string> {
  readonly name: string;
  /** The field that tells its entries apart; `key` by default. */
  readonly keyName?: string;
  /** "An attribute must be an object with a key and a type." */
  readonly entryRule: string;
  /** The command whose help describes the file. */
  readonly command: string;
  readonly uses: Readonly<Record<Name | 'key', FieldUse>> | Readonly<Record<Name | 'name', FieldUse>>;
}

export interface DescribedEntry<Name extends string> {
  readonly key: string;
  /** What the file names, besides the key. Null resets a setting. */
  readonly settings: ReadonlyMap<Name, unknown>;
  readonly line: number;
}

export interface FileProblem {
  readonly line: number;
  readonly text: string;
}

export type ReadList<Name extends string> =
  | { readonly ok: true; readonly entries: readonly DescribedEntry<Name>[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

export async function contentOf(file: string): Promise<string> {
  try {
    return file === '-' ? await textOf(host().stdin) : await readFile(pathOf(file), 'utf8');
  } catch (error) {
    const { code } = Object(error) as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new CommandProblem('wrongUse', `${file} ${reason}. Give the path of a YAML file, or - for stdin.`);
  }
}

export function invalidFile(name: string, problems: readonly FileProblem[]): CommandProblem {
  const lines = problems.map(({ line, text }) => `${name}:${line}: ${sanitize(text)}`);
  return new CommandProblem('wrongUse', [...lines, 'Nothing was changed.'].join('\n'));
}

/** Reads a file, with a line number for everything that is wrong. */
export function readDescribedList<Name extends string>(
  text: string,
  list: DescribedList<Name>,
): ReadList<Name> {
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
  return readDocument(document, list, lineOf);
}

function readDocument<Name extends string>(
  document: Document.Parsed,
  list: DescribedList<Name>,
  lineOf: (node: unknown) => number,
): ReadList<Name> {
  const problems: FileProblem[] = [];
  const root = document.contents;
  const items = isMap(root) ? root.get(list.name, true) : undefined;
  if (!isMap(root) || !isSeq(items)) {
    const text = `The file must have a list under "${list.name}:". See ${list.command} --help.`;
    return { ok: false, problems: [{ line: lineOf(items ?? root), text }] };
  }
  for (const { key } of root.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (name !== list.name) {
      problems.push({ line: lineOf(key), text: `"${name}" is unknown. The file has only "${list.name}".` });
    }
  }
  const entries: DescribedEntry<Name>[] = [];
  for (const item of items.items) {
    const read = readEntry(item, { document, list, lineOf, problems });
    if (!read) continue;
    const same = entries.find(({ key }) => key.toLowerCase() === read.key.toLowerCase());
    if (same)
      problems.push({ line: read.line, text: `"${read.key}" is described in line ${same.line} already.` });
    entries.push(read);
  }
  return problems.length === 0 ? { ok: true, entries } : { ok: false, problems };
}

interface Reading<Name extends string> {
  readonly document: Document.Parsed;
  readonly list: DescribedList<Name>;
  readonly lineOf: (node: unknown) => number;
  readonly problems: FileProblem[];
}

/** Undefined if the item has no key by which problems could be understood. */
function readEntry<Name extends string>(
  item: unknown,
  { document, list, lineOf, problems }: Reading<Name>,
): DescribedEntry<Name> | undefined {
  const { entryRule, keyName = 'key' } = list;
  const uses: Readonly<Record<string, FieldUse>> = list.uses;
  const note = (node: unknown, text: string) => void problems.push({ line: lineOf(node), text });
  if (!isMap(item)) {
    note(item, entryRule);
    return undefined;
  }
  const names = Object.keys(uses);
  const settings = new Map<string, unknown>();
  for (const { key: nameNode, value: valueNode } of item.items) {
    const name = isScalar(nameNode) ? String(nameNode.value) : '';
    const use = names.includes(name) ? uses[name] : undefined;
    if (!use) {
      const meant = nearest(name, names);
      note(
        nameNode,
        `"${name}" is not a setting.${meant ? ` Did you mean "${meant}"?` : ` Settings are ${names.join(', ')}.`}`,
      );
      continue;
    }
    const { field, required } = use;
    const read = readValue(valueNode, document);
    if (!read.ok) {
      note(valueNode, `"${name}" cannot be read: ${read.reason}.`);
      continue;
    }
    const { sent } = read;
    const value = sent === null ? null : field.normalize(sent);
    if (value === null ? required : !field.accepts(value)) {
      note(valueNode ?? nameNode, `"${name}" ${field.explainProblem?.(value) ?? `must be ${field.rule}`}.`);
    } else settings.set(name, value);
  }
  const key = settings.get(keyName);
  if (!item.has(keyName)) note(item, `"${keyName}" is missing. It must be ${uses[keyName]?.field.rule}.`);
  if (typeof key !== 'string') return undefined;
  settings.delete(keyName);
  return { key, settings: settings as unknown as ReadonlyMap<Name, unknown>, line: lineOf(item) }; // names of `uses`
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
