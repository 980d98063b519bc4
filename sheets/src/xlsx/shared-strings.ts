import { TableError } from '../problems.js';
import { unescapedText } from './text-escapes.js';
import { scanXml } from './xml.js';
import type { Archive } from './zip.js';

/** All of them are held in memory. A million users with eight columns have two to five million distinct texts. */
const stringsMax = 10_000_000;
const charactersMax = 268_435_456;

/** The texts that cells refer to by index. */
export async function readSharedStrings(archive: Archive, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  const collector = createTextCollector();
  let characters = 0;
  await scanXml(archive.read(part), part, {
    open: (tag) => {
      if (tag === 'si') collector.start();
      else collector.open(tag);
    },
    close: (tag) => {
      if (tag !== 'si') return collector.close(tag);
      const text = collector.text();
      characters += text.length;
      if (strings.push(text) > stringsMax || characters > charactersMax) {
        throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max: charactersMax });
      }
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

/** A text may consist of runs with different fonts, and have a phonetic guide for East Asian scripts (rPh). */
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
