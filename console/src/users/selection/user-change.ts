import type { Schemas } from '@rollcall/client';
import { type Attribute, type AttributeValue, attributeProblem } from '../../components/attribute-value.js';
import type { ReferenceKind } from '../../components/directory.js';
import { isEmpty } from '../../components/field-value.js';

export const changeKinds = [
  'addTag',
  'removeTag',
  'setOrganization',
  'clearOrganization',
  'setManager',
  'clearManager',
  'setAttribute',
  'clearAttribute',
  'activate',
  'deactivate',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What happens to all users who match. */
interface UserChange {
  readonly kind: ChangeKind;
  /** Of the tag or organization, or the employee ID of the manager, as typed. */
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
export function referenceOf(kind: ChangeKind): ReferenceKind | undefined {
  if (kind === 'addTag' || kind === 'removeTag') return 'tags';
  if (kind === 'setManager') return 'users';
  return kind === 'setOrganization' ? 'organizations' : undefined;
}

/** What users are given, and what becomes a new entry of the directory unless it exists. */
export function referencedEntry({ kind, serial: typed }: UserChange) {
  const [directory, serial] = [referenceOf(kind), typed.trim()];
  return directory === undefined || directory === 'users' || kind === 'removeTag' || serial === ''
    ? undefined
    : { kind: directory, serial };
}

/** Undefined until everything is entered. */
export function patchFor(change: UserChange): Schemas['UserPatch'] | undefined {
  const { kind, serial: typed, attribute, value = '' } = change;
  const serial = typed.trim();
  if (referenceOf(kind) !== undefined && serial === '') return undefined;
  switch (kind) {
    case 'addTag':
      return { addTagSerials: [serial] };
    case 'removeTag':
      return { removeTagSerials: [serial] };
    case 'setOrganization':
      return { organizationSerial: serial };
    case 'clearOrganization':
      return { organizationSerial: null };
    case 'setManager':
      return { managerEmployeeID: serial };
    case 'clearManager':
      return { managerEmployeeID: null };
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
