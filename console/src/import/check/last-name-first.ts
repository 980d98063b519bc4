import { missingUserOf, openRows, type Rows } from '../state/rows.js';
import type { CellTexts } from '../state/state.js';
import type { ImportStore } from '../state/store.js';

/** Without a heading that says so, this share of the names has to be written with the last name first. */
const shareMin = 0.5;
/** What follows a comma, but isn't a first name. */
const suffixes = /^(?:jr|sr|i{1,3}|iv|ph\.?\s?d|m\.?d|mba|msc|bsc|ma|ba|esq|dr|prof|dipl.*)\.?$/iu;
/** Titles in front of the last name stay in front. */
const titles = /^(?:(?:prof|dr|mag|ing|dipl\.-?ing)\.?\s+)+/iu;
const lastNameWord = '(?:nachname|familienname|zuname|name|last ?name|surname|family name|last|apellidos?)';
const firstNameWord = '(?:vornamen?|rufname|first ?names?|given names?|forenames?|first|nombres?)';
const lastNameHeading = new RegExp(`^${lastNameWord}\\s*(?:[,;/&+]|and|und|y)?\\s*${firstNameWord}$`, 'iu');

/** Lists for people to look things up in have "Bauer, Anna". Greeted by a name like that, nobody would feel meant. */
export function offerToTurnNames(store: ImportStore): void {
  const { rows, mapping, format } = store.getState();
  const [column, ...others] = mapping.name ?? [];
  if (!rows || column === undefined || others.length > 0) return;
  const texts = turnedNames(rows, column, format?.headings[column]?.name ?? '');
  const [first] = texts;
  if (first === undefined) return;
  const from = nameIn(rows, first[0], column);
  store.dispatch({ type: 'fixFound', fix: { why: 'lastNameFirst', column, texts, from } });
}

/** Empty unless that is how the file writes names. A company that has its users so wants them so. */
export function turnedNames(rows: Rows, column: number, heading: string): CellTexts {
  const ofFile = openRows(rows).filter(
    (row) => !missingUserOf(rows, row) && nameIn(rows, row, column) !== '',
  );
  const turned = ofFile.flatMap((row) => {
    const name = turnedName(nameIn(rows, row, column));
    return name === undefined ? [] : [[row, name] as const];
  });
  const isUsual = lastNameHeading.test(heading.trim()) || turned.length >= ofFile.length * shareMin;
  const known = turned.filter(([row]) => isAlreadyNamedSo(rows, row));
  return isUsual && known.length < turned.length * shareMin ? turned : [];
}

/** `Bauer, Anna` becomes `Anna Bauer`; undefined if it isn't a last and a first name. */
export function turnedName(name: string): string | undefined {
  const parts = name.split(',').map((part) => part.trim().replace(/\s+/gu, ' '));
  const [last = '', first = ''] = parts;
  if (parts.length !== 2 || last === '' || first === '' || suffixes.test(first)) return undefined;
  const [title = ''] = titles.exec(last) ?? [];
  return `${title}${first} ${last.slice(title.length)}`;
}

function isAlreadyNamedSo({ previews }: Rows, row: number): boolean {
  const preview = previews[row];
  return preview?.kind === 'accepted' && preview.change !== 'created' && preview.fields.name === undefined;
}

function nameIn({ cells }: Rows, row: number, column: number): string {
  return (cells[row]?.[column] ?? '').trim();
}
