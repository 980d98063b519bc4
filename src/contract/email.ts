import { fieldLimits } from './limits.js';

const ATOM = '[^\\s@()<>,;:\\\\"\\[\\]\\p{C}]';
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]*[\\p{L}\\p{N}\\p{M}])?';

export const emailPattern = `^(?!\\.)(?!.*\\.[.@])${ATOM}{1,${fieldLimits.emailLocalPartMaxLength}}@${LABEL}(?:\\.${LABEL})*$`;

const email = new RegExp(emailPattern, 'u');

/** Whether the text looks like a deliverable address. */
export function isEmail(text: string): boolean {
  return text.length <= fieldLimits.emailMaxLength && email.test(text);
}
