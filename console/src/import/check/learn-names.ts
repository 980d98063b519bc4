import { createNameCollector, type EntryField } from '@rollcall/sheets';
import { forEachInSlices } from '../../components/yield-to-browser.js';
import type { Dependencies } from '../state/dependencies.js';
import { areAllKnown, directoryOf, knownNames, type LearnedName } from '../state/names.js';
import { sheetRow } from '../state/row-reader.js';
import type { ImportStore } from '../state/store.js';

/** Asks the service what the names in these rows mean, as far as that is not known. */
export async function learnNames(
  store: ImportStore,
  from: Iterable<number> | 'all',
  signal: AbortSignal,
  { calls }: Dependencies,
): Promise<void> {
  const { rows, mapping, names } = store.getState();
  if (!rows || (from === 'all' && areAllKnown(names, mapping, rows))) return;
  const collector = createNameCollector(mapping);
  await forEachInSlices(from === 'all' ? rows.cells.keys() : from, (row) => {
    if (rows.cells[row]) collector.add(sheetRow(rows, row));
  });
  const known = knownNames(names, mapping);
  const organizations = await learn('organizationSerial');
  const tags = await learn('tagSerials');
  const isNothingNew = organizations.learned.length + tags.learned.length === 0;
  if (signal.aborted || (isNothingNew && from !== 'all')) return;
  const learned = { organizationSerial: organizations.learned, tagSerials: tags.learned };
  const mayCreate = organizations.mayCreate && tags.mayCreate;
  const cells = from === 'all' ? rows.cells : names.cells;
  store.dispatch({ type: 'namesLearned', answers: { mapping, cells, learned, mayCreate } });

  async function learn(field: EntryField) {
    const written = collector.names(field).filter(({ name }) => !known[field].has(name));
    if (written.length === 0) return { learned: [], mayCreate: names.mayCreate };
    const asked = written.map(({ name }) => name);
    const answer = await calls.resolveNames(directoryOf[field], asked, signal);
    const learned = written.flatMap((each, at): LearnedName[] => {
      const resolved = answer.items[at];
      return resolved ? [{ written: each, resolved }] : [];
    });
    return { learned, mayCreate: answer.mayCreate };
  }
}

/** Before the rows are checked, so that the user can decide about names first. */
export async function lookUpNames(store: ImportStore, dependencies: Dependencies): Promise<void> {
  try {
    await learnNames(store, 'all', new AbortController().signal, dependencies);
    store.dispatch({ type: 'namesProposed' });
  } catch (error) {
    dependencies.classifyError(error); // notices that the session has ended
    throw error;
  }
}
