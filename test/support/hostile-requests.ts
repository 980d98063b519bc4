import { readFileSync } from 'node:fs';
import { withInlinedParts } from '../../src/http/openapi-shared-parts.js';

/** What is needed to build bodies for an API operation. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  /** With an ID that does not exist for every parameter. */
  readonly path: string;
  readonly type: 'json' | 'form' | 'none';
  /** A valid body. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The field whose array may be very long, if any. */
  readonly list: string | undefined;
}

export interface Body {
  readonly shape: string;
  readonly bytes: Buffer;
}

const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
const lists: Readonly<Record<string, string>> = {
  createUsersBulk: 'items',
  updateUsersBulk: 'items',
  upsertUsersBulk: 'items',
  lookupUsers: 'employeeIDs',
};

/** All operations, so that every test and benchmark that uses them covers new ones. */
export function apiOperations(): ApiOperation[] {
  const { paths } = withInlinedParts(JSON.parse(readFileSync('openapi.json', 'utf8')));
  const operations: ApiOperation[] = [];
  for (const [path, methods] of Object.entries<Record<string, OpenApiOperation>>(paths)) {
    for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      operations.push({
        id: operationId,
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, nobody),
        type: type === undefined ? 'none' : type.includes('json') ? 'json' : 'form',
        example: Object.values(content?.examples ?? {})[0]?.value ?? {},
        list: lists[operationId],
      });
    }
  }
  return operations;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Record<string, { examples?: Record<string, { value: Record<string, unknown> }> }>;
  };
}

/** An ordinary body for the operation, of about this many bytes. */
export function ordinaryBody({ type, example, list }: ApiOperation, bytes: number): Buffer {
  if (type === 'form')
    return Buffer.from(`${formOf(example)}&extension=${'x'.repeat(bytes)}`.slice(0, bytes));
  if (list === undefined) return Buffer.from(JSON.stringify(example).padEnd(bytes, ' '));
  const [element] = example[list] as unknown[];
  const text = JSON.stringify(element);
  // Each for another employee ID, and no more than a call may have.
  const count = Math.min(Math.floor(bytes / (text.length + 8)), 10_000);
  const elements = Array.from({ length: count }, (_, index) =>
    text.replace('E1001', `E${1_000_000 + index}`),
  );
  return Buffer.from(`{"${list}":[${elements}]}`.padEnd(bytes, ' '));
}

/** The worst bodies of about this many bytes, with each shape wherever it may do harm. */
export function hostileBodies(operation: ApiOperation, bytes: number): Body[] {
  if (operation.type === 'form') return hostileForms(operation, bytes);
  const { example, list } = operation;
  const bodies = wholeBodies(bytes);
  const [element] = (list === undefined ? [] : example[list]) as unknown[];
  const target = (list === undefined ? example : element) as Readonly<Record<string, unknown>>;
  const wrapped = (text: string) => (list === undefined ? text : `{"${list}":[${text}]}`);
  const add = (shape: string, text: string) => bodies.push({ shape, bytes: Buffer.from(wrapped(text)) });
  if (typeof target === 'object') {
    for (const field of Object.keys(target)) {
      const { [field]: _, ...others } = target;
      const start = JSON.stringify(others).slice(0, -1) + (Object.keys(others).length > 0 ? ',' : '');
      for (const [shape, value] of values(bytes)) add(`${field}: ${shape}`, `${start}"${field}":${value}}`);
      add(`${field}: duplicated`, `${start}${filled(`"${field}":1,`, bytes)}"${field}":1}`);
    }
    add('fields of many names', `{${names(bytes)}}`);
  }
  if (list !== undefined) for (const body of longLists(operation, target, bytes)) bodies.push(body);
  return bodies;
}

/** Problems with the document itself. */
function wholeBodies(bytes: number): Body[] {
  const texts: Record<string, string> = {
    'too deep': '['.repeat(bytes),
    'too deep, of objects': '{"a":'.repeat(bytes / 5),
    'an array of arrays': `[${filled('[],', bytes)}[]]`,
    'an array of numbers': `[${filled('1.0,', bytes)}1]`,
    'one long number': '9'.repeat(bytes),
    'never ends': `{"a":"${'x'.repeat(bytes)}`,
    'line breaks, and then not JSON': `${'\n'.repeat(bytes)}x`,
    'fields of many names': `{${names(bytes)}}`,
    'duplicated fields': `{${filled('"a":1,', bytes)}"a":1}`,
    'escaped fields': `{${filled('"\\u0061":1,', bytes)}"a":1}`,
  };
  return Object.entries(texts).map(([shape, text]) => ({ shape, bytes: Buffer.from(text) }));
}

/** Values for a single field. */
function values(bytes: number): [shape: string, json: string][] {
  const deep = '['.repeat(25) + ']'.repeat(25);
  return [
    ['long', `"${'x'.repeat(bytes)}"`],
    ['blank', `"${' '.repeat(bytes)}"`],
    ['combining marks', `"a${filled('\u0301\u0323', bytes)}"`],
    ['escaped', `"${filled('\\u0301\\u0323', bytes)}"`],
    ['quotes and backslashes', `"${filled('\\\\\\"', bytes)}"`],
    ['numbers', `[${filled('1.0,', bytes)}1]`],
    ['deep', `[${filled(`${deep},`, bytes)}[]]`],
    ['an object of many names', `{${names(bytes)}}`],
    ['the same text again and again', `[${filled('"T1",', bytes)}"T1"]`],
  ];
}

/** As many hostile elements as a call may have. */
function longLists({ list }: ApiOperation, element: unknown, bytes: number): Body[] {
  const each = Math.floor(bytes / 10_000);
  const of = (shape: string, text: (index: number) => string): Body => ({
    shape: `10,000 × ${shape}`,
    bytes: Buffer.from(`{"${list}":[${Array.from({ length: 10_000 }, (_, index) => text(index))}]}`),
  });
  const marks = `a${'\u0301\u0323'.repeat(15)}`;
  if (typeof element === 'string') {
    return [
      of('combining marks', () => `"${filled(marks, each)}"`),
      of('escapes', () => `"${filled('\\u0301', each)}"`),
      of('the same', () => '"E1"'),
      { shape: 'too many', bytes: Buffer.from(`{"${list}":[${filled('"",', bytes)}""]}`) },
    ];
  }
  const item = (index: number, more: string) => `{"employeeID":"E${index}","isActive":true,${more}}`;
  return [
    of('names of combining marks', (index) =>
      item(index, `"name":"${filled(marks, Math.min(each, 1_500))}"`),
    ),
    of('fields of many names', (index) => `{${filled(`"${index}a":1,"${index}b":1,`, each)}"x":1}`),
    of('duplicated fields', () => `{${filled('"name":1,', each - 20)}"name":1}`),
    of('escaped fields', () => `{${filled('"\\u006eame":1,', each - 20)}"x":1}`),
    of('tags', (index) => item(index, `"name":"x","tagSerials":[${tags(Math.max(each - 90, 18))}]`)),
    of('the same employee', () => '{"employeeID":"E1","name":"Ada","isActive":true,"username":"u1"}'),
    of(
      'a chain of renames',
      (index) => `{"employeeID":"E${index}","newEmployeeID":"E${index + 1}","name":"Ada","isActive":true}`,
    ),
    { shape: 'too many', bytes: Buffer.from(`{"${list}":[${filled('{},', bytes)}{}]}`) },
  ];
}

function hostileForms({ example }: ApiOperation, bytes: number): Body[] {
  const form = formOf(example);
  const texts: Record<string, string> = {
    'many fields': `${form}&${Array.from({ length: bytes / 8 }, (_, index) => `f${index}=`).join('&')}`,
    'the same field': `${form}&${filled('a=&', bytes)}`,
    'nothing but separators': '&'.repeat(bytes),
    escapes: `${form}&x=${filled('%CC%81', bytes)}`,
    'broken escapes': `${form}&x=${'%'.repeat(bytes)}`,
    'a long scope': `${form}&scope=${filled('a+', bytes)}`,
    'a long client ID': `grant_type=client_credentials&client_secret=x&client_id=${filled('%CC%81', bytes)}`,
  };
  return Object.entries(texts).map(([shape, text]) => ({ shape, bytes: Buffer.from(text.slice(0, bytes)) }));
}

function formOf(example: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(example as Record<string, string>).toString();
}

function filled(unit: string, bytes: number): string {
  return unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));
}

/** Different ones: duplicates are removed before any work is done for them. */
function tags(bytes: number): string {
  return Array.from({ length: bytes / 18 }, (_, index) => `"T${String(index).padStart(14, '0')}"`).join(',');
}

/** Names of one length, so that the body stays within its limit: a larger one is rejected before it is read. */
function names(bytes: number): string {
  const fields = Array.from({ length: bytes / 13 }, (_, index) => `"f${String(index).padStart(7, '0')}":1`);
  return fields.join(',');
}
