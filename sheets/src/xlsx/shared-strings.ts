import { TableError } from '../problems.js';
import { unescapedText } from './text-escapes.js';
import { scanXml } from './xml.js';
import type { Archive } from './zip.js';

/**
 * All of them are held in memory, and may keep the XML they were cut from. A million users with eight columns have two to
 * five million distinct texts in less than 200 MB.
 */
const stringsMax = 10_000_000;
const partBytesMax = 268_435_456;

/** The texts that cells refer to by index. */
export async function readSharedStrings(archive: Archive, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  const collector = createTextCollector();
  await scanXml(archive.read(part, partBytesMax), part, {
    open: (tag) => {
      if (tag === 'si') collector.start();
      else collector.open(tag);
    },
    close: (tag) => {
      if (tag !== 'si') return collector.close(tag);
      if (strings.push(collector.text()) > stringsMax) {
        throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max: partBytesMax });
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
      if (isText && !isReadingAid) text = joinedText(text, more);
    },
    text: () => unescapedText(text),
  };
}

/** Spreadsheets hold 32,767 characters in a cell, and may write each of them as _x0000_. */
const cellCharactersMax = 262_144;

/** A text of a cell comes in pieces, of which there may be any number. */
export function joinedText(text: string, more: string): string {
  if (text.length + more.length > cellCharactersMax) {
    throw new TableError({ code: 'CELL_TOO_LONG', max: cellCharactersMax });
  }
  return text + more;
}
