import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

/** Adds how many users more have a word, or fewer. A word that nobody has is deleted. */
export async function addToNameWords(tx: Executor, changes: ReadonlyMap<string, number>): Promise<void> {
  const changed = [...changes].filter(([, users]) => users !== 0);
  if (changed.length === 0) return;
  const words = textArray(changed.map(([word]) => word));
  await tx.query({
    name: 'add-to-name-words',
    text: `INSERT INTO name_words (word, users) SELECT * FROM unnest($1::text[], $2::integer[])
           ON CONFLICT (word) DO UPDATE SET users = name_words.users + excluded.users`,
    values: [words, plainArray(changed.map(([, users]) => users))],
  });
  await tx.query({
    name: 'delete-name-words',
    text: 'DELETE FROM name_words WHERE word = ANY ($1::text[]) AND users <= 0',
    values: [words],
  });
}

interface WordRow {
  readonly word: string;
  readonly users: number;
}

/** Those of the words that are in a name. */
export async function nameWordsAmong(executor: Executor, words: readonly string[]): Promise<WordRow[]> {
  const { rows } = await executor.query<WordRow>({
    name: 'name-words-among',
    text: 'SELECT word, users FROM name_words WHERE word = ANY ($1::text[])',
    values: [textArray(words)],
  });
  return rows;
}

/** Words of names that have many letters in common with one of these. Reads thousands of words if there are many. */
export async function similarNameWords(executor: Executor, words: readonly string[]): Promise<WordRow[]> {
  const { rows } = await executor.query<WordRow>({
    name: 'similar-name-words',
    text: 'SELECT word, users FROM unnest($1::text[]) AS typed, similar_name_words(typed)',
    values: [textArray(words)],
  });
  return rows;
}
