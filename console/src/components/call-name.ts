import type { Schemas } from '@rollcall/client';
import { activityCopy } from '../copy/copy.js';

type Call = Pick<Schemas['Call'], 'kind' | 'source'>;

const fromFiles: readonly Call['kind'][] = ['create-bulk', 'update-bulk', 'upsert-bulk'];

/** What kind of call it is, in words of the console: users import files, whatever that sends. */
export function callName({ kind, source }: Call): string {
  return source !== null && fromFiles.includes(kind)
    ? activityCopy.calls.import
    : activityCopy.calls.kind[kind];
}
