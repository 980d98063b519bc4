import { codeOf } from '../domain/webhooks/connection.js';

/** The code of an error of Node.js. Never a text, which could repeat what a source said. */
export function errorCodeOf(error: unknown): string | null {
  const code = codeOf(error);
  return /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : null;
}
