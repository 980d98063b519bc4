import type { IdIndex, Survey } from '#sheets';

/**
 * Hashes of the employee IDs in a file, sorted, so that an erasure finds the files that mention a user. A hash that two
 * IDs share only deletes a file that could have been kept. Null if some IDs cannot be read.
 */
export function mentionsIn({ ids, renamedFrom, unreadable: { count } }: Survey): Buffer | null {
  if (count > 0) return null;
  const hashes = new Uint32Array(ids.size + renamedFrom.size);
  let at = 0;
  for (const index of [ids, renamedFrom] satisfies IdIndex[]) {
    for (const [id] of index) hashes[at++] = hashOf(id);
  }
  hashes.sort();
  return Buffer.from(hashes.buffer);
}

export function mayMention(mentions: Buffer | null, names: readonly string[]): boolean {
  if (mentions === null) return true;
  const aligned = new Uint8Array(mentions); // a buffer of the driver can start anywhere
  const hashes = new Uint32Array(aligned.buffer, 0, Math.floor(aligned.length / 4));
  return names.some((name) => includes(hashes, hashOf(name)));
}

function includes(sorted: Uint32Array, hash: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === hash;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
