import { fieldLimits } from './limits.js';

const ATOM = '[^\\s@()<>,;:\\\\"\\[\\]\\p{C}]';
const LABEL = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}\\p{M}_-]*[\\p{L}\\p{N}\\p{M}_])?';

const email = new RegExp(
  `^(?!\\.)(?!.*\\.[.@])${ATOM}{1,${fieldLimits.emailLocalPartMaxLength}}@${LABEL}(?:\\.${LABEL})*$`,
  'u',
);

/**
 * Whether mail can be sent to the address, as opposed to `emailField`, which accepts almost any text with an @. Excludes
 * quoted local parts, and characters that have a meaning in a header or an SMTP command.
 */
export function isEmail(text: string): boolean {
  return text.length <= fieldLimits.emailMaxLength && email.test(text);
}
