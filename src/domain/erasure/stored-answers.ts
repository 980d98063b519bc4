import type { Executor } from '../../storage/database.js';
import {
  lockAnswersWith,
  lockReportsWith,
  replaceAnswer,
  replaceReport,
} from '../../storage/erasure/stored-answers.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { nameHistoryWithout, outcomeWithout, peopleToForget } from './forgotten-outcomes.js';
import type { Person } from './person.js';

/**
 * Answers are stored for callers who repeat a request with its idempotency key. They keep their outcome, so that nothing
 * is done twice, but no longer tell whom it was about.
 */
export async function eraseStoredAnswers(tx: Executor, people: readonly Person[]): Promise<void> {
  const forgotten = peopleToForget(people);
  const texts = people.flatMap(({ serial, names }) => [serial, ...names]);
  for (const stored of await lockAnswersWith(tx, texts)) {
    const answer = outcomeWithout(forgotten, stored.answer as ItemOutcome, undefined);
    if (answer !== stored.answer) await replaceAnswer(tx, { ...stored, answer });
  }
  for (const stored of await lockReportsWith(tx, texts)) {
    const outcomes = (stored.outcomes as ItemOutcome[]).map((outcome, index) =>
      outcomeWithout(forgotten, outcome, stored.first + index),
    );
    await replaceReport(tx, { ...stored, outcomes, memory: nameHistoryWithout(forgotten, stored.memory) });
  }
}
