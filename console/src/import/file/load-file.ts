import { guessMapping, type Heading } from '@rollcall/sheets';
import type { Dependencies } from '../state/dependencies.js';
import type { Rows } from '../state/rows.js';
import type { Format, ReadFailure, ReadOptions, Source } from '../state/source.js';
import type { ImportState } from '../state/state.js';
import type { ImportStore } from '../state/store.js';
import { readSource } from './read-source.js';

/** Reads a file. The previous one stays until the new one is complete. */
export function loadFile(
  store: ImportStore,
  source: Source,
  options: ReadOptions,
  { calls, classifyError }: Dependencies,
  onLoaded: () => void,
): void {
  const { reading } = store.getState();
  if (reading.state === 'reading') reading.cancel();
  const { name } = source;
  const asked = calls.attributes();
  asked.catch(() => {}); // told once the file is read
  let isCancelled = false;
  const failed = (failure: ReadFailure) => store.dispatch({ type: 'readingFailed', name, failure });
  const loaded = (rows: Rows, format: Format, attributes: ImportState['attributes']) => {
    if (isCancelled) return;
    const { source: before, format: formatBefore, mapping: mappingBefore, check } = store.getState();
    const isSame = before === source && namesOf(formatBefore?.headings) === namesOf(format.headings);
    check?.abort.abort();
    const mapping = isSame ? mappingBefore : guessMapping(format.headings, 'sync', attributes).mapping;
    store.dispatch({ type: 'fileLoaded', source, rows, format, mapping, attributes, readOptions: options });
    onLoaded();
  };
  const stop = readSource(source, options, {
    progress: (rows, share) => store.dispatch({ type: 'readingProgressed', rows, share }),
    failed,
    done: (rows, format) =>
      void asked.then(
        (attributes) => loaded(rows, format, attributes),
        (error: unknown) => {
          classifyError(error); // notices that the session has ended
          if (!isCancelled) failed({ code: 'NO_ATTRIBUTES', error });
        },
      ),
  });
  const cancel = () => {
    isCancelled = true;
    stop();
    store.dispatch({ type: 'readingCancelled' });
  };
  store.dispatch({ type: 'readingStarted', name, cancel });
}

function namesOf(headings: readonly Heading[] | undefined): string | undefined {
  return headings?.map(({ name }) => name).join('\n');
}
