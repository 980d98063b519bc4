import { type Language, language } from './language.js';
import type { Translation } from './translation.js';

/** Every language has what English has. */
export type Copy = Translation<typeof import('./en/index.js')>;
export type ApplicationsCopy = Translation<typeof import('./en/applications.js').applicationsCopy>;
export type FeedPagesCopy = Translation<typeof import('./en/feed-pages.js')>;

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

const applications: Readonly<Record<Language, () => Promise<{ applicationsCopy: ApplicationsCopy }>>> = {
  en: () => import('./en/applications.js'),
  de: () => import('./de/applications.js'),
  es: () => import('./es/applications.js'),
};

let loaded: Copy | undefined;
let loadedFeedPages: FeedPagesCopy | undefined;
let loadedApplications: ApplicationsCopy | undefined;

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

/** The same goes for applications. */
export async function loadApplicationsCopy(wanted: Language = language): Promise<void> {
  loadedApplications = (await applications[wanted]()).applicationsCopy;
}

export function loadedApplicationsCopy(): ApplicationsCopy {
  if (loadedApplications === undefined)
    throw new Error('loadApplicationsCopy() has to end before texts are used.');
  return loadedApplications;
}
