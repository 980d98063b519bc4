import { type Language, language } from './language.js';
import type { Translation } from './translation.js';

/** Every language has what English has. */
export type Copy = Translation<typeof import('./en/index.js')>;
export type OnDemandCopy = Translation<typeof import('./en/on-demand.js')>;

const catalogues: Readonly<Record<Language, () => Promise<Copy>>> = {
  en: () => import('./en/index.js'),
  de: () => import('./de/index.js'),
  es: () => import('./es/index.js'),
};

const onDemand: Readonly<Record<Language, () => Promise<OnDemandCopy>>> = {
  en: () => import('./en/on-demand.js'),
  de: () => import('./de/on-demand.js'),
  es: () => import('./es/on-demand.js'),
};

let loaded: Copy | undefined;
let loadedOnDemand: OnDemandCopy | undefined;

/** Has to end before a module that shows text is imported. */
export async function loadCopy(wanted: Language = language): Promise<void> {
  loaded = await catalogues[wanted]();
}

export function loadedCopy(): Copy {
  if (loaded === undefined) throw new Error('loadCopy() has to end before texts are used.');
  return loaded;
}

/** Long texts that only some pages show. Has to end before a module that does is imported. */
export async function loadOnDemandCopy(wanted: Language = language): Promise<void> {
  loadedOnDemand = await onDemand[wanted]();
}

export function loadedOnDemandCopy(): OnDemandCopy {
  if (loadedOnDemand === undefined) throw new Error('loadOnDemandCopy() has to end before texts are used.');
  return loadedOnDemand;
}
