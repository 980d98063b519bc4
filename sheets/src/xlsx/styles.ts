import { builtInFormat, type NumberFormat, parseNumberFormat } from './number-format.js';
import { attributesOf, scanXml } from './xml.js';
import type { Archive } from './zip.js';

/** The number format of each cell style, by the number that cells refer to. */
export async function readStyles(archive: Archive, part: string | undefined): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  if (part === undefined) return formats;
  const codes = new Map<number, string>();
  const inherited: number[] = [];
  let list = '';
  await scanXml(archive.read(part), part, {
    open: (tag, rest) => {
      if (tag === 'cellXfs' || tag === 'cellStyleXfs') list = tag;
      else if (tag === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributesOf(rest);
        codes.set(Number(numFmtId), formatCode);
      } else if (tag === 'xf') {
        const { numFmtId, xfId } = attributesOf(rest);
        if (list === 'cellStyleXfs') inherited.push(Number(numFmtId ?? 0));
        else if (list === 'cellXfs') {
          const id = Number(numFmtId ?? inherited[Number(xfId ?? 0)] ?? 0);
          const code = codes.get(id);
          formats.push(code === undefined ? builtInFormat(id) : parseNumberFormat(code));
        }
      }
    },
    close: (tag) => {
      if (tag === list) list = '';
    },
  });
  return formats;
}
