import { type Language, language } from './language.js';
import type { Translation } from './translation.js';

/** Every language has what English has. */
export type Copy = Translation<typeof import('./en/index.js')>;
export type FeedPagesCopy = Translation<typeof import('./en/feed-pages.js')>;
export type FactorsCopy = Translation<typeof import('./en/factors.js')>;

const catalogues: Readonly<Record<Language, () => Promise<Copy>>> = {
  en: () => import('./en/index.js'),
  de: () => import('./de/index.js'),
  es: () => import('./es/index.js'),
};

const feedPages: Readonly<Record<Language, () => Promise<FeedPagesCopy>>> = {
  en: () => import('./en/feed-pages.js'),
  de: () => import('./de/feed-pages.js'),
  es: () => import('./es/feed-pages.js'),
};

const factors: Readonly<Record<Language, () => Promise<FactorsCopy>>> = {
  en: () => import('./en/factors.js'),
  de: () => import('./de/factors.js'),
  es: () => import('./es/factors.js'),
};

let loaded: Copy | undefined;
let loadedFeedPages: FeedPagesCopy | undefined;
let loadedFactors: FactorsCopy | undefined;

/** Has to end before a module that shows text is imported. */
export async function loadCopy(wanted: Language = language): Promise<void> {
  loaded = await catalogues[wanted]();
}

export function loadedCopy(): Copy {
  if (loaded === undefined) throw new Error('loadCopy() has to end before texts are used.');
  return loaded;
}

/** The texts of feeds are long, and few pages show them. Has to end before a module that does is imported. */
export async function loadFeedPagesCopy(wanted: Language = language): Promise<void> {
  loadedFeedPages = await feedPages[wanted]();
}

export function loadedFeedPagesCopy(): FeedPagesCopy {
  if (loadedFeedPages === undefined) throw new Error('loadFeedPagesCopy() has to end before texts are used.');
  return loadedFeedPages;
}

/** The texts about second factors: few people see them often. */
export async function loadFactorsCopy(wanted: Language = language): Promise<void> {
  loadedFactors = await factors[wanted]();
}

export function loadedFactorsCopy(): FactorsCopy {
  if (loadedFactors === undefined) throw new Error('loadFactorsCopy() has to end before texts are used.');
  return loadedFactors;
}
