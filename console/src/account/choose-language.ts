import { notify } from '../components/notify.js';
import { importReviewCopy } from '../copy/copy.js';
import { type Language, languages, switchLanguage } from '../copy/language.js';
import { rollcall } from '../session/api.js';

/** For the console and for messages. If the service can't store it, the console changes nevertheless. */
export async function chooseLanguage(language: Language): Promise<void> {
  await rollcall.call('setOwnLanguage', { body: { language } }).catch(() => {});
  if (!switchLanguage(language)) notify(importReviewCopy.languageLater(languages[language]));
}
