import type { Language } from '../../contract/enums.js';
import type { Executor } from '../database.js';

export async function getLanguage(executor: Executor, serial: string): Promise<Language | null> {
  const { rows } = await executor.query<{ language: Language }>({
    name: 'get-language',
    text: 'SELECT language FROM user_languages WHERE user_serial = $1',
    values: [serial],
  });
  return rows[0]?.language ?? null;
}

/** Only for users whose row is locked. */
export async function setLanguage(tx: Executor, serial: string, language: Language | null): Promise<void> {
  if (language === null) await tx.query('DELETE FROM user_languages WHERE user_serial = $1', [serial]);
  else {
    await tx.query(
      `INSERT INTO user_languages (user_serial, language) VALUES ($1, $2)
       ON CONFLICT (user_serial) DO UPDATE SET language = excluded.language`,
      [serial, language],
    );
  }
}
