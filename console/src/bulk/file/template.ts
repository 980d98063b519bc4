import { fieldsOf, toCsv } from '@rollcall/sheets';
import { commonCopy } from '../../copy/copy.js';
import type { BulkKind } from '../state/service-calls.js';

/** Only headings, because an example row could be sent by mistake. */
export function templateOf(kind: BulkKind): string {
  return toCsv([fieldsOf(kind).map((field) => commonCopy.fields[field])], { bom: true });
}
