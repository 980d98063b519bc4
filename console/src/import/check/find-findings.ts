import { findingsOf } from '../state/findings.js';
import { readFacts } from '../state/row-facts.js';
import type { ImportStore } from '../state/store.js';

/** Compares the rows with each other and with what is known about users. */
export async function findFindings(store: ImportStore, signal: AbortSignal): Promise<void> {
  const { rows, check } = store.getState();
  if (!rows || !check) return;
  const { reader } = check;
  const facts = await readFacts(reader, rows);
  const { rows: current, check: latest } = store.getState();
  if (signal.aborted || !current || !latest) return;
  const { name, email } = reader.rules.mapping;
  const columns = { id: reader.idColumn, name: name?.[0], email: email?.[0] };
  store.dispatch({ type: 'findingsFound', findings: findingsOf(facts, current, columns, latest.knowledge) });
}
