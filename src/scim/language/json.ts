export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property. An attribute may have the name of something that every object inherits, such as `constructor`. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A copy with the property set, or without it if the value is undefined. */
export function withProperty(object: JsonObject, name: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...object, [name]: value };
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

/** An empty list or object stands for no value (RFC 7643, section 2.5). */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether two values are the same JSON. The order of properties doesn't matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, at) => isSame(each, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}
