import { InvalidArgumentError } from 'commander';

/** CSV separators by the name to type. */
export const separators = { ',': ',', ';': ';', '|': '|', tab: '\t' } as const;
export type SeparatorName = keyof typeof separators;
type Separator = (typeof separators)[SeparatorName];

export function separator(text: string): Separator {
  const found = Object.entries(separators).find(
    ([name, each]) => text.toLowerCase() === name || text === each,
  );
  if (!found) throw new InvalidArgumentError('Must be one of , ; | or tab.');
  return found[1];
}
