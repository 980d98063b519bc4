import { guessMapping, type Heading } from '@rollcall/sheets';
import type { ReadOptions, Source } from '../state/source.js';
import type { ImportStore } from '../state/store.js';
import { readSource } from './read-source.js';

/** Reads a file. The previous one stays until the new one is complete. */
export function loadFile(
  store: ImportStore,
  source: Source,
  options: ReadOptions,
  onLoaded: () => void,
): void {
  const { reading } = store.getState();
  if (reading.state === 'reading') reading.cancel();
  const { name } = source;
  const stop = readSource(source, options, {
    progress: (rows, share) => store.dispatch({ type: 'readingProgressed', rows, share }),
    failed: (failure) => store.dispatch({ type: 'readingFailed', name, failure }),
    done: (rows, format) => {
      const { source: before, format: formatBefore, mapping, check } = store.getState();
      const isSame = before === source && namesOf(formatBefore?.headings) === namesOf(format.headings);
      check?.abort.abort();
      store.dispatch({
        type: 'fileLoaded',
        source,
        rows,
        format,
        mapping: isSame ? mapping : guessMapping(format.headings, 'sync').mapping,
      });
      onLoaded();
    },
  });
  const cancel = () => {
    stop();
    store.dispatch({ type: 'readingCancelled' });
  };
  store.dispatch({ type: 'readingStarted', name, cancel });
}

function namesOf(headings: readonly Heading[] | undefined): string | undefined {
  return headings?.map(({ name }) => name).join('\n');
}
