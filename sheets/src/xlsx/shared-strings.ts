import { unescapedText } from './text-escapes.js';
import { scanXml } from './xml.js';
import type { Archive } from './zip.js';

/** The texts that cells refer to by number. */
export async function readSharedStrings(archive: Archive, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  const collector = createTextCollector();
  await scanXml(archive.read(part), part, {
    open: (tag) => {
      if (tag === 'si') collector.start();
      else collector.open(tag);
    },
    close: (tag) => {
      if (tag === 'si') strings.push(collector.text());
      else collector.close(tag);
    },
    text: collector.add,
  });
  return strings;
}

export interface TextCollector {
  start(): void;
  open(tag: string): void;
  close(tag: string): void;
  add(text: string): void;
  text(): string;
}

/** A text may be cut into runs of different looks, and have a reading aid for East Asian scripts beside it (rPh). */
export function createTextCollector(): TextCollector {
  let text = '';
  let isText = false;
  let isReadingAid = false;
  return {
    start: () => {
      text = '';
    },
    open: (tag) => {
      if (tag === 't') isText = true;
      if (tag === 'rPh') isReadingAid = true;
    },
    close: (tag) => {
      if (tag === 't') isText = false;
      if (tag === 'rPh') isReadingAid = false;
    },
    add: (more) => {
      if (isText && !isReadingAid) text += more;
    },
    text: () => unescapedText(text),
  };
}
