import { TableError } from '../problems.js';
import { builtInFormat, type NumberFormat, parseNumberFormat } from './number-format.js';
import { isTrue } from './workbook.js';
import { quotedStyleName } from './workbook-xml.js';
import { attributesOf, scanXml } from './xml.js';
import { type Archive, smallPartBytesMax } from './zip.js';

/** Cell styles, by the index that cells refer to. */
export interface Styles {
  readonly formats: readonly NumberFormat[];
  /** Styles of cells that were entered with a leading apostrophe: they are texts, whatever they look like. */
  readonly quoted: ReadonlySet<number>;
}

/** Far more than spreadsheets allow. */
const stylesMax = 500_000;

export async function readStyles(archive: Archive, part: string | undefined): Promise<Styles> {
  const formats: NumberFormat[] = [];
  const quoted = new Set<number>();
  if (part === undefined) return { formats, quoted };
  const codes = new Map<number, string>();
  const inherited: number[] = [];
  const parents: number[] = [];
  const quotedParents = new Set<number>();
  const parsed = new Map<number, NumberFormat>();
  let list = '';
  const formatOf = (id: number): NumberFormat => {
    const code = codes.get(id);
    const format = parsed.get(id) ?? (code === undefined ? builtInFormat(id) : parseNumberFormat(code));
    parsed.set(id, format);
    return format;
  };
  await scanXml(archive.read(part, smallPartBytesMax), part, {
    open: (tag, rest) => {
      if (formats.length + inherited.length + codes.size > stylesMax) {
        throw new TableError({ code: 'WORKBOOK_DAMAGED', part });
      }
      if (tag === 'cellXfs' || tag === 'cellStyleXfs') list = tag;
      else if (tag === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributesOf(rest);
        codes.set(Number(numFmtId), formatCode);
      } else if (tag === 'xf') {
        const { numFmtId, xfId, quotePrefix } = attributesOf(rest);
        if (list === 'cellStyleXfs') inherited.push(Number(numFmtId ?? 0));
        else if (list === 'cellXfs') {
          const id = Number(numFmtId ?? inherited[Number(xfId ?? 0)] ?? 0);
          if (isTrue(quotePrefix)) quoted.add(formats.length);
          formats.push(formatOf(id));
          parents.push(Number(xfId ?? 0));
        }
      } else if (tag === 'cellStyle') {
        const { name, xfId } = attributesOf(rest);
        if (name !== quotedStyleName) return;
        quotedParents.add(Number(xfId));
      }
    },
    close: (tag) => {
      if (tag === list) list = '';
    },
  });
  for (const [style, parent] of parents.entries()) if (quotedParents.has(parent)) quoted.add(style);
  return { formats, quoted };
}
