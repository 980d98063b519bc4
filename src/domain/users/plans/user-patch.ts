import type { AttributePatch } from '../../../contract/attribute-values.js';
import type { Attribute } from '../../../contract/attributes.js';
import type { PatchPart } from '../../../contract/calls.js';
import type { PatchKind } from '../../../contract/enums.js';
import type { StoredUser } from '../../../contract/users.js';
import type { UserChange } from '../user-rules.js';

/** What to do with every user that a filter matches. `undefined` keeps a field, null clears it. */
export interface UserPatch {
  readonly isActive?: boolean | undefined;
  readonly organizationSerial?: string | null | undefined;
  readonly managerEmployeeID?: string | null | undefined;
  readonly addTagSerials?: readonly string[] | undefined;
  readonly removeTagSerials?: readonly string[] | undefined;
  readonly attributes?: AttributePatch | undefined;
  /** Takes the place of another tag. */
  readonly replaceTag?: { readonly from: string; readonly to: string } | undefined;
}

/** Tags keep their order; new ones come last. */
export function changeFor({ tagSerials }: StoredUser, patch: UserPatch): UserChange {
  const {
    isActive,
    organizationSerial,
    managerEmployeeID,
    addTagSerials = [],
    removeTagSerials = [],
    replaceTag,
    attributes,
  } = patch;
  const removed = new Set(removeTagSerials);
  const kept = tagSerials
    .map((tag) => (tag === replaceTag?.from ? replaceTag.to : tag))
    .filter((tag) => !removed.has(tag));
  return {
    ...{ isActive, organizationSerial, managerEmployeeID, attributes },
    tagSerials: [...new Set([...kept, ...addTagSerials])],
  };
}

/** The parts of a patch, without values. Nobody is told which sensitive attribute it sets. */
export function partsOf(patch: UserPatch, attributes: readonly Attribute[]): PatchPart[] {
  const { isActive, organizationSerial: organization, managerEmployeeID: manager } = patch;
  const shown = new Map(
    attributes.flatMap(({ id, key, isSensitive }) => (isSensitive ? [] : [[String(id), key] as const])),
  );
  const part = (kind: PatchKind, target: string | null = null): PatchPart => ({ kind, target });
  return [
    ...(isActive === undefined ? [] : [part(isActive ? 'activate' : 'deactivate')]),
    ...(patch.addTagSerials ?? []).map((tag) => part('addTag', tag)),
    ...(patch.removeTagSerials ?? []).map((tag) => part('removeTag', tag)),
    ...(organization === undefined
      ? []
      : [part(organization === null ? 'clearOrganization' : 'setOrganization', organization)]),
    ...(manager === undefined ? [] : [part(manager === null ? 'clearManager' : 'setManager')]),
    ...Object.entries(patch.attributes ?? {}).map(([id, value]) =>
      part(value === null ? 'clearAttribute' : 'setAttribute', shown.get(id)),
    ),
  ];
}
