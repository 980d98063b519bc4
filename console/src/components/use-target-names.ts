import type { Schemas } from '@rollcall/client';
import { useAttributes } from './attributes.js';
import { type TargetName, targetNames } from './calls.js';
import { useDisplayNames } from './directory.js';

type Patch = Schemas['Call']['patch'];

/** What the organizations, tags and attributes are called that a call sets. */
export function useTargetNames(patch: Patch | undefined): TargetName {
  const targetsOf = (end: string) =>
    (patch ?? []).flatMap(({ kind, target }) => (kind.endsWith(end) && target !== null ? target : []));
  return targetNames({
    tags: useDisplayNames('tags', targetsOf('Tag')),
    organizations: useDisplayNames('organizations', targetsOf('Organization')),
    attributes: useAttributes(),
  });
}
