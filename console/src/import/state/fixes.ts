import type { Fix } from './state.js';

/** What was noticed in an edit is offered at once, and the rest in the order in which it was found. */
export function withFix(fixes: readonly Fix[], fix: Fix): readonly Fix[] {
  return fix.why === 'sameText' ? [fix, ...fixes] : [...fixes, fix];
}

/** An edited cell has no longer the text that was to be corrected. */
export function fixesAfterEdit(
  fixes: readonly Fix[],
  column: number,
  edited: ReadonlySet<number>,
): readonly Fix[] {
  return fixes.flatMap((fix) => {
    if (fix.why === 'sameText') return [];
    if (fix.column !== column) return [fix];
    if (fix.why === 'skipColumn') return [];
    const texts = fix.texts.filter(([row]) => !edited.has(row));
    return texts.length === 0 ? [] : [{ ...fix, texts }];
  });
}
