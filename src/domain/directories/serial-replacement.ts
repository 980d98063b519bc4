import type { FieldChanges } from '../../contract/changes.js';
import type { DirectoryKind } from '../../contract/directories.js';

/** One serial takes the place of another, at every user. */
export interface SerialReplacement {
  readonly from: string;
  readonly to: string;
}

/** Every change of a rename is the same replacement, so one tells what the call was about. */
export function replacementIn(kind: DirectoryKind, fields: FieldChanges): SerialReplacement | undefined {
  const { before, after } = changeIn(kind, fields);
  const [from, ...othersRemoved] = without(before, after);
  const [to, ...othersAdded] = without(after, before);
  const isOne = othersRemoved.length === 0 && othersAdded.length === 0;
  return isOne && from !== undefined && to !== undefined ? { from, to } : undefined;
}

/** The serials that a change gave to its user. */
export function serialsAdded(kind: DirectoryKind, fields: FieldChanges): string[] {
  const { before, after } = changeIn(kind, fields);
  return without(after, before);
}

function changeIn(kind: DirectoryKind, { organizationSerial, tagSerials }: FieldChanges) {
  return (kind === 'organizations' ? organizationSerial : tagSerials) ?? { before: null, after: null };
}

/** The serials of a field that its other value does not have. */
function without(value: unknown, other: unknown): string[] {
  const others = serialsIn(other);
  return serialsIn(value).filter((serial) => !others.includes(serial));
}

function serialsIn(value: unknown): string[] {
  return [value].flat().filter((serial) => typeof serial === 'string');
}
