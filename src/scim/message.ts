import { type JsonObject, own } from './language/json.js';

/** A field of a message, such as a SearchRequest. Unlike those of resources, their names are compared in any case. */
export function messageField(message: JsonObject, name: string): unknown {
  const found = Object.keys(message).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : own(message, found);
}
