import type { Change } from './schema-changes.js';

/** The entries about breaking changes in the Unreleased section of a changelog. */
export function breakingEntries(changelog: string): string[] {
  const [, unreleased = ''] = changelog.split(/^## \[Unreleased\]$/m);
  const [section = ''] = unreleased.split(/^## /m);
  return section
    .split(/^### /m)
    .filter((part) => /^(?:Changed|Removed)\n/.test(part))
    .flatMap((part) => part.split(/^- /m).slice(1))
    .filter((entry) => entry.includes('**Breaking**'));
}

/** Whether an entry names the subject of the change as code: an operation exactly, anything else as a word. */
export function isAnnounced({ subject }: Change, entries: readonly string[]): boolean {
  const code = entries.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  return code.some((text) => text === subject || text.split(/[^\w-]+/).includes(subject));
}
