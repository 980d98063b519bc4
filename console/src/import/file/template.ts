import { fieldsOf, toCsv } from '@rollcall/sheets';
import { commonCopy } from '../../copy/copy.js';
import { csvSeparator } from '../../copy/format.js';

/** Only headings, because an example row could be sent by mistake. */
export function template(): string {
  const headings = fieldsOf('sync').map((field) => commonCopy.fields[field]);
  return toCsv([headings], { bom: true, separator: csvSeparator });
}
