import type { Language } from '../../contract/enums.js';
import type { Failure } from '../../contract/errors.js';
import { type Database, transaction } from '../../storage/database.js';
import { getUser, lockUser } from '../../storage/users/read-users.js';
import {
  getLanguage as readLanguage,
  setLanguage as storeLanguage,
} from '../../storage/users/user-languages.js';
import { missingUser } from '../missing-user.js';
import { isSerial, noSuchSerial } from '../serial.js';

export interface LanguageContext {
  readonly database: Database;
  /** Of messages to users who have none of their own. */
  readonly language: Language;
}

/** The language of messages to a user; null for that of the installation. */
export type LanguageOf =
  | {
      readonly ok: true;
      readonly serial: string;
      readonly language: Language | null;
      readonly defaultLanguage: Language;
    }
  | { readonly ok: false; readonly failure: Failure };

export async function getLanguage(
  { database, language: defaultLanguage }: LanguageContext,
  serial: string,
): Promise<LanguageOf> {
  const found = isSerial(serial) ? await getUser(database.pool, serial) : undefined;
  if (!found) return { ok: false, failure: await missingUser(database.pool, serial) };
  const { serial: stored } = found.user;
  const language = await readLanguage(database.pool, stored);
  return { ok: true, serial: stored, language, defaultLanguage };
}

/** A setting of the messages, not a field of the user: neither the version nor the change log knows it. */
export async function setLanguage(
  { database, language: defaultLanguage }: LanguageContext,
  serial: string,
  language: Language | null,
): Promise<LanguageOf> {
  if (!isSerial(serial)) return { ok: false, failure: noSuchSerial() };
  return transaction(database, async (tx): Promise<LanguageOf> => {
    const user = await lockUser(tx, serial);
    if (!user) return { ok: false, failure: await missingUser(tx, serial) };
    await storeLanguage(tx, user.serial, language);
    return { ok: true, serial: user.serial, language, defaultLanguage };
  });
}
