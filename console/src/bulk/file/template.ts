import { fieldsOf, toCsv } from '@rollcall/sheets';
import { texts } from '../../copy/index.js';
import type { BulkKind } from '../state/service-calls.js';

/** Nothing but headings: an example could be sent by mistake. */
export function templateOf(kind: BulkKind): string {
  return toCsv([fieldsOf(kind).map((field) => texts.common.fields[field])], { bom: true });
}
