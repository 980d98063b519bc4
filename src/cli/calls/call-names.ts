import type { CallKind } from '../../contract/enums.js';

const names: Readonly<Record<CallKind, string>> = {
  'create-bulk': 'bulk create',
  'update-bulk': 'bulk update',
  'upsert-bulk': 'bulk upsert',
  'update-matching': 'update by filter',
  'rename-organization': 'organization rename',
  'merge-organization': 'organization merge',
  'rename-tag': 'tag rename',
  'merge-tag': 'tag merge',
  'erase-bulk': 'bulk erasure',
  undo: 'undo',
};

/** In a sentence. A newer service may have other kinds. */
export function callName(kind: string): string {
  return (names as Readonly<Record<string, string>>)[kind] ?? kind;
}
