import { type Language, language } from './language.js';
import type { Translation } from './translation.js';

/** Every language has what English has. */
export type Copy = Translation<typeof import('./en/index.js')>;

const catalogues: Readonly<Record<Language, () => Promise<Copy>>> = {
  en: () => import('./en/index.js'),
  de: () => import('./de/index.js'),
  es: () => import('./es/index.js'),
};

let loaded: Copy | undefined;

/** Has to end before a module that shows text is imported. */
export async function loadCopy(wanted: Language = language): Promise<void> {
  loaded = await catalogues[wanted]();
}

export function loadedCopy(): Copy {
  if (loaded === undefined) throw new Error('loadCopy() has to end before texts are used.');
  return loaded;
}
