import { changeAt, changeEach, changeKinds } from './change.js';
import { operandsIn } from './filter.js';
import { isObject, type JsonObject, own } from './json.js';
import { done, failed, type Outcome } from './outcome.js';
import { parsePath } from './path.js';
import type { ScimSchema } from './schema.js';

/**
 * Applies the operations of a PATCH request (RFC 7644, section 3.5.2), all or none. The resource is spelled like the
 * schema; operations may spell names in any case.
 */
export function applyPatch(
  resource: JsonObject,
  operations: readonly unknown[],
  schema: ScimSchema,
): Outcome<JsonObject> {
  if (changesIn(operations) > changesMax) {
    return failed(
      'invalidValue',
      `A request may have at most ${changesMax} operations and names in their values.`,
    );
  }
  let current = resource;
  let steps = 0;
  for (const [index, each] of operations.entries()) {
    steps += longestList(current) * passesOf(each);
    if (steps > stepsMax) {
      return failed('invalidValue', 'The operations go through too many values. Send several requests.');
    }
    const changed = applyOperation(current, each, schema);
    if (!changed.ok) return { ...changed, detail: `Operations[${index}]: ${changed.detail}` };
    current = changed.value;
  }
  return done(current);
}

/** Changes are limited, and the values that all of them go through. The number of values of one change is not. */
export const changesMax = 2_000;

/** Each change goes through the whole list, once for each comparison: up to 0.6 s in all on a busy machine. */
export const stepsMax = 1_000_000;

function changesIn(operations: readonly unknown[]): number {
  return operations.reduce((sum: number, each) => sum + pathsIn(each).length, 0);
}

/** How often an operation goes through a list at most. */
function passesOf(operation: unknown): number {
  return pathsIn(operation).reduce((sum, each) => sum + 1 + comparisonsIn(each), 0);
}

function comparisonsIn(text: string): number {
  const path = text.includes('[') ? parsePath(text) : undefined;
  return path?.ok && path.value.filter ? operandsIn(path.value.filter).length : 0;
}

function longestList(resource: JsonObject): number {
  let longest = 0;
  for (const each of Object.values(resource)) {
    if (Array.isArray(each)) longest = Math.max(longest, each.length);
    else if (isObject(each)) {
      for (const inner of Object.values(each))
        if (Array.isArray(inner)) longest = Math.max(longest, inner.length);
    }
  }
  return longest;
}

/** The path of an operation, and names in its value, which are paths as well. */
function pathsIn(operation: unknown): string[] {
  const [path, value] = isObject(operation) ? [own(operation, 'path'), own(operation, 'value')] : [];
  return [typeof path === 'string' ? path : '', ...namesIn(value, namesDepthMax)];
}

/** In a value of a resource: an extension, an attribute of it, and its sub-attributes. */
const namesDepthMax = 3;

function namesIn(value: unknown, depth: number): string[] {
  if (!isObject(value) || depth === 0) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...namesIn(each, depth - 1)]);
}

function applyOperation(resource: JsonObject, operation: unknown, schema: ScimSchema): Outcome<JsonObject> {
  if (!isObject(operation)) return failed('invalidSyntax', 'An operation must be a JSON object.');
  const [op, path, sent] = ['op', 'path', 'value'].map((name) => own(operation, name));
  const kind = changeKinds.find((each) => typeof op === 'string' && op.toLowerCase() === each); // Entra ID sends "Add"
  if (!kind) return failed('invalidSyntax', '"op" must be add, remove or replace.');
  if (kind !== 'remove' && sent === undefined) return failed('invalidValue', `To ${kind}, send a "value".`);
  if (typeof path === 'string') return changeAt(path, resource, { kind, sent }, schema);
  if (path !== undefined && path !== null) return failed('invalidPath', '"path" must be a string.');
  if (kind === 'remove') return failed('noTarget', 'To remove something, name it in "path".');
  if (!isObject(sent)) return failed('invalidValue', 'Without "path", "value" must be a JSON object.');
  return changeEach(Object.entries(sent), resource, kind, schema);
}
