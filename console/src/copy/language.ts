/** By their own names. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español' } as const;

export type Language = keyof typeof languages;

export const languageChoices = Object.entries(languages) as [Language, string][];

/** Unit tests run without one. */
const browser: {
  readonly navigator?: { readonly languages: readonly string[] };
  readonly location?: { reload(): void };
  readonly localStorage?: { getItem(key: string): string | null; setItem(key: string, value: string): void };
} = globalThis as object;
const chosenKey = 'rollcall.language';

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value);
}

/** What the user chose, or else the first language of the browser that there is. */
export const language: Language = chosen() ?? preferred(browserLocales()) ?? 'en';

/** With the region of the browser, because Austria and Germany write dates differently. */
export const locale: string = browserLocales().find((wanted) => languageOf(wanted) === language) ?? language;

let isReloadLossy: () => boolean = () => false;

/** Says whether a reload would lose something that is only in memory. */
export function askBeforeReload(isLossy: () => boolean): void {
  isReloadLossy = isLossy;
}

/** Texts are loaded once, so the page loads again. False if that would lose something: then the user reloads. */
export function switchLanguage(wanted: Language): boolean {
  browser.localStorage?.setItem(chosenKey, wanted);
  if (isReloadLossy()) return false;
  browser.location?.reload();
  return true;
}

export function preferred(locales: readonly string[]): Language | undefined {
  return locales.map(languageOf).find(isLanguage);
}

function languageOf(wanted: string): string {
  return wanted.split('-', 1)[0]?.toLowerCase() ?? '';
}

function browserLocales(): readonly string[] {
  return wellFormed(browser.navigator?.languages ?? []);
}

/** A browser with a POSIX locale may report `en-US@posix`, which no formatter takes. */
export function wellFormed(locales: readonly string[]): readonly string[] {
  return locales.flatMap((each) => {
    try {
      return Intl.getCanonicalLocales(each.split('@', 1));
    } catch {
      return [];
    }
  });
}

function chosen(): Language | undefined {
  const stored = browser.localStorage?.getItem(chosenKey);
  return isLanguage(stored) ? stored : undefined;
}
