import type { Schemas } from '@rollcall/client';
import { attributeField } from '@rollcall/sheets';
import { attributeName } from './attribute-value.js';
import { useAttributes } from './attributes.js';
import type { TargetName } from './calls.js';
import { useDisplayNames } from './directory.js';
import { fullEntryName } from './entry-name.js';

type Patch = Schemas['Call']['patch'];

/** What the organizations, tags and attributes are called that a call sets. */
export function useTargetNames(patch: Patch | undefined): TargetName {
  const targetsOf = (end: string) =>
    (patch ?? []).flatMap(({ kind, target }) => (kind.endsWith(end) && target !== null ? target : []));
  const tags = useDisplayNames('tags', targetsOf('Tag'));
  const organizations = useDisplayNames('organizations', targetsOf('Organization'));
  const attributes = useAttributes();
  return ({ kind, target }) => {
    if (target === null) return null;
    if (kind.endsWith('Attribute')) return attributeName(attributeField(target), attributes);
    const names = kind.endsWith('Tag') ? tags : organizations;
    return fullEntryName({ serial: target, displayName: names.get(target) ?? null });
  };
}
