import { TableError } from '../problems.js';
import { unescapedText } from './text-escapes.js';
import { attributesOf, scanXml } from './xml.js';
import { type Archive, partName, smallPartBytesMax } from './zip.js';

export interface Workbook {
  /** The sheets with cells, in tab order. */
  readonly sheets: readonly SheetReference[];
  /** Files from Excel for Mac may count days from 1904. */
  readonly isFrom1904: boolean;
  /**
   * Programs that write formulas without calculating them leave that to the spreadsheet, and write 0 or nothing as the
   * result. The flag disappears when a spreadsheet saves the workbook.
   */
  readonly isToBeCalculated: boolean;
  readonly stylesPart: string | undefined;
  readonly sharedStringsPart: string | undefined;
}

export interface SheetReference {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string;
}

/** The limit for sheets and for relationships: far more than any workbook has. */
const sheetsMax = 10_000;
const relationsMax = 100_000;

interface Relation {
  readonly kind: string;
  readonly part: string;
}

/** Returns undefined if the archive isn't a workbook. */
export async function readWorkbook(archive: Archive): Promise<Workbook | undefined> {
  const root = await readRelations(archive, '');
  const main = [...root.values()].find(({ kind }) => kind === 'officedocument')?.part ?? 'xl/workbook.xml';
  if (!archive.names.includes(main) || !main.startsWith('xl/') || main.endsWith('.bin')) return undefined;
  const relations = await readRelations(archive, main);
  const partOf = (kind: string): string | undefined => {
    return [...relations.values()].find((relation) => relation.kind === kind)?.part;
  };
  const sheets: SheetReference[] = [];
  let isFrom1904 = false;
  let isToBeCalculated = false;
  await scanXml(archive.read(main, smallPartBytesMax), main, {
    open: (tag, rest) => {
      if (tag === 'workbookPr') isFrom1904 = isTrue(attributesOf(rest).date1904);
      if (tag === 'calcPr') isToBeCalculated = isTrue(attributesOf(rest).fullCalcOnLoad);
      if (tag !== 'sheet') return;
      const { name = '', state = 'visible', id = '' } = attributesOf(rest);
      const relation = relations.get(id);
      if (relation?.kind === 'worksheet') {
        const known = sheets.push({
          name: unescapedText(name),
          isHidden: state !== 'visible',
          part: relation.part,
        });
        if (known > sheetsMax) throw new TableError({ code: 'WORKBOOK_DAMAGED', part: main });
      }
    },
  });
  const [stylesPart, sharedStringsPart] = [partOf('styles'), partOf('sharedstrings')];
  return { sheets, isFrom1904, isToBeCalculated, stylesPart, sharedStringsPart };
}

/** The named sheet, or the first visible one. */
export function chooseSheet({ sheets }: Workbook, wanted: string | undefined): SheetReference {
  const chosen =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name === wanted);
  if (chosen !== undefined) return chosen;
  if (wanted === undefined) throw new TableError({ code: 'EMPTY' });
  throw new TableError({ code: 'SHEET_UNKNOWN', sheet: wanted, sheets: sheets.map(({ name }) => name) });
}

export const isTrue = (flag: string | undefined): boolean => flag === '1' || flag === 'true';

/** The relationships of a part, by ID. The kind is the last segment of a URL, of which there are two dialects. */
async function readRelations(archive: Archive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const relations = new Map<string, Relation>();
  const file = `${folder}_rels/${part.slice(folder.length)}.rels`;
  await scanXml(archive.read(file, smallPartBytesMax), file, {
    open: (tag, rest) => {
      if (tag !== 'Relationship') return;
      const { Id = '', Type = '', Target = '' } = attributesOf(rest);
      const kind = Type.slice(Type.lastIndexOf('/') + 1).toLowerCase();
      relations.set(Id, { kind, part: resolved(folder, Target) });
      if (relations.size > relationsMax) throw new TableError({ code: 'WORKBOOK_DAMAGED', part: file });
    },
  });
  return relations;
}

function resolved(folder: string, target: string): string {
  const path = partName(target.startsWith('/') ? target : folder + target);
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}
