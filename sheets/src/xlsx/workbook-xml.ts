import { escapedText } from './text-escapes.js';

/** The parts of a workbook other than its sheet: the minimum that spreadsheets accept. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const sheetPart = 'xl/worksheets/sheet1.xml';
export const workbookPart = 'xl/workbook.xml';

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** By index in the list of styles below. */
export const cellStyles = { text: 1, heading: 2, quoted: 3 };
/** LibreOffice forgets which cells were entered with a leading apostrophe, but not the names of styles. */
export const quotedStyleName = 'Quoted text';
/** The ID of the format "@": what is entered into the cell stays a text. */
const textFormat = 49;

const styles = `<styleSheet xmlns="${namespace}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/><xf numFmtId="${textFormat}" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="${textFormat}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="${textFormat}" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="${textFormat}" fontId="0" fillId="0" borderId="0" xfId="1" applyNumberFormat="1" quotePrefix="1"/></cellXfs><cellStyles count="2"><cellStyle name="Normal" xfId="0" builtinId="0"/><cellStyle name="${quotedStyleName}" xfId="1"/></cellStyles></styleSheet>`;

const override = (part: string, type: string): string =>
  `<Override PartName="/${part}" ContentType="${contentTypes}.${type}+xml"/>`;
const relation = (id: number, kind: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${relationships}/${kind}" Target="${target}"/>`;
const relationList = (...relations: readonly string[]): string =>
  `<Relationships xmlns="${packages}/relationships">${relations.join('')}</Relationships>`;

/** The parts that are the same in every workbook. */
export const fixedParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${xmlDeclaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override(workbookPart, 'sheet.main')}${override(sheetPart, 'worksheet')}${override('xl/styles.xml', 'styles')}</Types>`,
  '_rels/.rels': xmlDeclaration + relationList(relation(1, 'officeDocument', workbookPart)),
  'xl/_rels/workbook.xml.rels':
    xmlDeclaration +
    relationList(relation(1, 'worksheet', 'worksheets/sheet1.xml'), relation(2, 'styles', 'styles.xml')),
  'xl/styles.xml': xmlDeclaration + styles,
};

/** Spreadsheets expect the range of the filter here too, under a reserved name. */
export function workbookXml(sheetName: string, filterRange: string | undefined): string {
  const sheet = `<sheets><sheet name="${attributeText(sheetName)}" sheetId="1" r:id="rId1"/></sheets>`;
  const names =
    filterRange === undefined
      ? ''
      : `<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${escapedText(sheetName.replaceAll("'", "''"))}'!${filterRange}</definedName></definedNames>`;
  const views = '<bookViews><workbookView/></bookViews>';
  return `${xmlDeclaration}<workbook xmlns="${namespace}" xmlns:r="${relationships}">${views}${sheet}${names}</workbook>`;
}

const attributeText = (text: string): string => escapedText(text).replaceAll('"', '&quot;');
