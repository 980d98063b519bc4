import { guessMapping } from '@rollcall/sheets';
import type { ReadOptions, Source } from '../state/source.js';
import type { Wizard } from '../state/wizard.js';
import { readSource } from './read-source.js';

/** Reads a file; what was there before stays until the new one has been read to its end. */
export function takeFile(wizard: Wizard, source: Source, options: ReadOptions, onTaken: () => void): void {
  if (wizard.reading.state === 'reading') wizard.reading.cancel();
  const { name } = source;
  const stop = readSource(source, options, {
    progress: (rows, share) => {
      if (wizard.reading.state === 'reading') Object.assign(wizard.reading, { rows, share });
      wizard.news.changed();
    },
    done: (rows, format) => {
      const isSame = wizard.source === source && sameHeadings(wizard, format.headings);
      wizard.check?.abort.abort();
      Object.assign(wizard, {
        source,
        rows,
        format,
        mapping: isSame ? wizard.mapping : guessMapping(format.headings, wizard.kind).mapping,
        reading: { state: 'idle' },
        check: undefined,
        run: undefined,
        calls: [],
        undo: undefined,
      } satisfies Partial<Wizard>);
      wizard.news.changed();
      onTaken();
    },
    failed: (failure) => {
      wizard.reading = { state: 'failed', name, failure };
      wizard.news.changed();
    },
  });
  const cancel = () => {
    stop();
    wizard.reading = { state: 'idle' };
    wizard.news.changed();
  };
  wizard.reading = { state: 'reading', name, rows: 0, share: undefined, cancel };
  wizard.news.changed();
}

function sameHeadings({ format }: Wizard, headings: readonly { readonly name: string }[]): boolean {
  return format?.headings.map(({ name }) => name).join('\n') === headings.map(({ name }) => name).join('\n');
}
