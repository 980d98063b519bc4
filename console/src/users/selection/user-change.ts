import type { Schemas } from '@rollcall/client';
import { type Attribute, type AttributeValue, attributeProblem } from '../../components/attribute-value.js';
import type { DirectoryKind } from '../../components/directory.js';
import { isEmpty } from '../../components/field-value.js';

export const changeKinds = [
  'addTag',
  'removeTag',
  'setOrganization',
  'clearOrganization',
  'setAttribute',
  'clearAttribute',
  'activate',
  'deactivate',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What happens to all users who match. */
interface UserChange {
  readonly kind: ChangeKind;
  /** Of the tag or organization, as typed. */
  readonly serial: string;
  readonly attribute?: Attribute | undefined;
  /** Of the attribute, as typed. */
  readonly value?: AttributeValue;
}

/** The attributes that a change can be about. Nobody else may have a value that is unique. */
export function attributesFor(kind: ChangeKind, attributes: readonly Attribute[]): readonly Attribute[] {
  if (kind !== 'setAttribute' && kind !== 'clearAttribute') return [];
  return attributes.filter(({ isRetired, isUnique }) => !isRetired && !(isUnique && kind === 'setAttribute'));
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
export function patchFor(change: UserChange): Schemas['UserPatch'] | undefined {
  const { kind, serial: typed, attribute, value = '' } = change;
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
    case 'setAttribute': {
      if (!attribute || isEmpty(value) || attributeProblem(attribute, value) !== undefined) return undefined;
      return { attributes: { [attribute.key]: value } };
    }
    case 'clearAttribute':
      return attribute && { attributes: { [attribute.key]: null } };
    case 'activate':
      return { isActive: true };
    case 'deactivate':
      return { isActive: false };
  }
}
