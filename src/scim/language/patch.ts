import { changeAt, changeEach, changeKinds } from './change.js';
import { isObject, type JsonObject, own } from './json.js';
import { done, failed, type Outcome } from './outcome.js';
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
  for (const [index, each] of operations.entries()) {
    const changed = applyOperation(current, each, schema);
    if (!changed.ok) return { ...changed, detail: `Operations[${index}]: ${changed.detail}` };
    current = changed.value;
  }
  return done(current);
}

/** Each change of a list goes through the whole list, so their number is limited. The number of values is not. */
export const changesMax = 2_000;

/** Operations, and names in their values, which are paths as well. */
function changesIn(operations: readonly unknown[]): number {
  const values = operations.map((each) => (isObject(each) ? own(each, 'value') : undefined));
  return values.reduce((sum: number, each) => sum + 1 + namesIn(each, namesDepthMax), 0);
}

/** In a value of a resource: an extension, an attribute of it, and its sub-attributes. */
const namesDepthMax = 3;

function namesIn(value: unknown, depth: number): number {
  if (!isObject(value) || depth === 0) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + 1 + namesIn(each, depth - 1), 0);
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
