import { describe, expect, test } from 'vitest';
import type { Lookalike } from '../../../sheets/src/index.js';
import { joined, problem, utf8, utf16le } from './tables.js';
import { zip } from './workbooks.js';

const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const filler = new Uint8Array(512);

describe('names the format of files that are not tables', () => {
  test.each<[Lookalike, Uint8Array]>([
    ['pdf', utf8('%PDF-1.7\n1 0 obj')],
    ['png', joined([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], filler)],
    ['jpeg', joined([0xff, 0xd8, 0xff, 0xe0], filler)],
    ['gif', joined(utf8('GIF89a'), filler)],
    ['gzip', joined([0x1f, 0x8b, 0x08], filler)],
    ['rtf', utf8('{\\rtf1\\ansi hello}')],
    ['xls', joined(compound, filler, utf16le('Workbook'))],
    ['encrypted', joined(compound, filler, utf16le('EncryptedPackage'))],
    ['html', utf8('\n <!DOCTYPE html><html><table><tr><td>ID</td></tr></table></html>')],
    ['html', utf8('<table border=1><tr><td>ID</td></tr></table>')],
    ['xml', utf8('<?xml version="1.0"?><Workbook></Workbook>')],
    ['binary', joined(utf8('ID,Name\n'), [0, 1, 2, 3], utf8('1,Ada'))],
    ['xlsb', zip({ 'xl/workbook.bin': 'x' })],
    ['docx', zip({ 'word/document.xml': '<document/>' })],
    ['ods', zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' })],
    ['numbers', zip({ 'Index/Document.iwa': 'x' })],
    ['zip', zip({ 'users.csv': 'ID,Name\n1,Ada\n' })],
  ])('%s', async (seems, bytes) => {
    expect(await problem(bytes)).toEqual({ code: 'NOT_A_TABLE', seems });
    expect(await problem(new Blob([new Uint8Array(bytes)]))).toEqual({ code: 'NOT_A_TABLE', seems });
  });
});
