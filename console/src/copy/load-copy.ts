import { type Language, language } from './language.js';
import type { Translation } from './translation.js';

/** Every language has what English has. */
export type Copy = Translation<typeof import('./en/index.js')>;

/** Texts that are loaded together. `load` has to end before a module that shows them is imported. */
function catalogue<Texts>(languages: Readonly<Record<Language, () => Promise<Texts>>>) {
  let texts: Texts | undefined;
  return {
    load: async (wanted: Language = language): Promise<void> => {
      texts = await languages[wanted]();
    },
    loaded: (): Texts => {
      if (texts === undefined) throw new Error('Texts are loaded before the modules that show them.');
      return texts;
    },
  };
}

/** For every page. */
export const { load: loadCopy, loaded: loadedCopy } = catalogue<Copy>({
  en: () => import('./en/index.js'),
  de: () => import('./de/index.js'),
  es: () => import('./es/index.js'),
});

/** For the own account and applications, some pages of which belong to the sign-in. */
export const { load: loadAccountCopy, loaded: loadedAccountCopy } = catalogue<
  Translation<typeof import('./en/account.js')>
>({
  en: () => import('./en/account.js'),
  de: () => import('./de/account.js'),
  es: () => import('./es/account.js'),
});

/** Long texts that only some pages show. */
export const { load: loadOnDemandCopy, loaded: loadedOnDemandCopy } = catalogue<
  Translation<typeof import('./en/on-demand.js')>
>({
  en: () => import('./en/on-demand.js'),
  de: () => import('./de/on-demand.js'),
  es: () => import('./es/on-demand.js'),
});
