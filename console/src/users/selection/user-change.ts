import type { Schemas } from '@rollcall/client';
import type { DirectoryKind } from '../../components/directory.js';

export const changeKinds = [
  'addTag',
  'removeTag',
  'setOrganization',
  'clearOrganization',
  'activate',
  'deactivate',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What happens to all users who match. */
interface UserChange {
  readonly kind: ChangeKind;
  /** Of the tag or organization, as typed. */
  readonly serial: string;
}

/** What the change needs the serial of. */
export function directoryOf(kind: ChangeKind): DirectoryKind | undefined {
  if (kind === 'addTag' || kind === 'removeTag') return 'tags';
  return kind === 'setOrganization' ? 'organizations' : undefined;
}

/** What users are given, and what becomes a new entry of the directory unless it exists. */
export function referencedEntry({ kind, serial: typed }: UserChange) {
  const [directory, serial] = [directoryOf(kind), typed.trim()];
  return directory === undefined || kind === 'removeTag' || serial === ''
    ? undefined
    : { kind: directory, serial };
}

/** Undefined until everything is entered. */
export function patchFor({ kind, serial: typed }: UserChange): Schemas['UserPatch'] | undefined {
  const serial = typed.trim();
  if (directoryOf(kind) !== undefined && serial === '') return undefined;
  switch (kind) {
    case 'addTag':
      return { addTagSerials: [serial] };
    case 'removeTag':
      return { removeTagSerials: [serial] };
    case 'setOrganization':
      return { organizationSerial: serial };
    case 'clearOrganization':
      return { organizationSerial: null };
    case 'activate':
      return { isActive: true };
    case 'deactivate':
      return { isActive: false };
  }
}
