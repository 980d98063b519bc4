import { InvalidArgumentError } from 'commander';

/** Of CSV, as they can be typed. */
export const separators = { ',': ',', ';': ';', '|': '|', tab: '\t' } as const;
export type SeparatorName = keyof typeof separators;
type Separator = (typeof separators)[SeparatorName];

/** By its name, or the character itself. */
export function separator(text: string): Separator {
  const found = Object.entries(separators).find(
    ([name, each]) => text.toLowerCase() === name || text === each,
  );
  if (!found) throw new InvalidArgumentError('It must be one of , ; | or tab.');
  return found[1];
}
