import { fieldsOf, toCsv } from '@rollcall/sheets';
import { commonCopy } from '../../copy/copy.js';

/** Only headings, because an example row could be sent by mistake. */
export function template(): string {
  return toCsv([fieldsOf('sync').map((field) => commonCopy.fields[field])], { bom: true });
}
