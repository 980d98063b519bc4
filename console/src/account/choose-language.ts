import { type Language, switchLanguage } from '../copy/language.js';
import { rollcall } from '../session/api.js';

/** For the console and for messages. If the service can't store it, the console changes nevertheless. */
export async function chooseLanguage(language: Language): Promise<void> {
  await rollcall.call('setOwnLanguage', { body: { language } }).catch(() => {});
  switchLanguage(language);
}
