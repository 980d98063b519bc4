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
  const { name, email, phone } = reader.rules.mapping;
  const columns = { id: reader.idColumn, name: name?.[0], email: email?.[0], phone: phone?.[0] };
  const findings = await findingsOf(facts, current, columns, latest.knowledge);
  if (signal.aborted) return;
  if (store.getState().rows?.cells !== rows.cells) return findFindings(store, signal); // edited meanwhile
  store.dispatch({ type: 'findingsFound', findings });
}
