import type { sheetsCopy as english } from '../en/sheets.js';
import { formatBytes, formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural } from './plural.js';

const asText = 'Hay que dar formato de texto a la columna y volver a introducir el valor.';
const calculate = 'Hay que abrir el archivo en Excel y guardarlo para que se calculen las fórmulas.';

/** A column of the file: its letter, and its heading if it has one. */
const column = (letter: string, heading: string | undefined) =>
  heading === undefined ? `La columna ${letter}` : `La columna ${letter} «${heading}»`;

export const sheetsCopy: Translation<typeof english> = {
  kinds: {
    pdf: 'Parece un documento PDF.',
    png: 'Parece una imagen.',
    jpeg: 'Parece una imagen.',
    gif: 'Parece una imagen.',
    xls: 'Parece un libro antiguo de Excel (.xls).',
    encrypted: 'Este libro está protegido con una contraseña.',
    xlsb: 'Parece un libro binario de Excel (.xlsb).',
    ods: 'Parece una hoja de cálculo OpenDocument (.ods).',
    numbers: 'Parece una hoja de cálculo de Apple Numbers.',
    docx: 'Parece un documento de texto.',
    zip: 'Parece un archivo ZIP.',
    gzip: 'Parece un archivo comprimido.',
    html: 'Parece una página web.',
    xml: 'Parece un archivo XML.',
    rtf: 'Parece un documento de texto.',
    binary: 'Esto no es una tabla.',
  },
  saveAs: (what) => `${what} Hay que guardar la tabla como CSV o como libro de Excel (.xlsx).`,
  empty: 'El archivo está vacío.',
  onlyHeadings:
    'El archivo tiene encabezados, pero ninguna fila debajo. Si se ven filas en él, hay que volver a guardarlo como CSV o como libro de Excel (.xlsx).',
  chooseTable: (what) => `${what} Hay que elegir un archivo CSV o un libro de Excel (.xlsx).`,
  encodingMixed: (utf8Line, otherLine) =>
    `El archivo mezcla dos codificaciones: la línea ${formatNumber(utf8Line)} está en UTF-8 y la línea ${formatNumber(otherLine)} no. Algunos nombres se dañarían. Hay que guardar todo el archivo como CSV UTF-8 o como libro de Excel (.xlsx).`,
  encodingBroken: (line, encoding) =>
    `La línea ${formatNumber(line)} no es ${encoding} válido. Hay que guardar el archivo como CSV UTF-8 o como libro de Excel (.xlsx).`,
  quoteUnfinished: (line) =>
    `En la línea ${formatNumber(line)} hay unas comillas (") que no se cierran. Hay que cerrarlas o quitarlas.`,
  rowTooLong: (line, max) =>
    `La línea ${formatNumber(line)} tiene más de ${formatNumber(max)} caracteres. Probablemente, unas comillas (") anteriores no se cierran.`,
  cellTooLong: (max) =>
    `Una celda tiene más de ${formatNumber(max)} caracteres, algo que ninguna hoja de cálculo escribe. Vuelva a guardar el archivo en una.`,
  tooManyColumns: (max) =>
    `El archivo tiene más de ${plural(max, 'columna', 'columnas')}. Hay que quitar las que no hagan falta.`,
  tooManyRows: (max) =>
    `El archivo tiene más de ${plural(max, 'fila', 'filas')}. Hay que dividirlo en varios.`,
  jsonBroken: (line) => `El archivo parece JSON, pero la línea ${formatNumber(line)} no es válida.`,
  sheetUnknown: (sheet, sheets) =>
    `El libro no tiene ninguna hoja llamada «${sheet}». Sus hojas son: ${sheets.join(', ')}.`,
  damaged: 'El libro está dañado. Hay que abrirlo en una hoja de cálculo y volver a guardarlo.',
  tooLarge: (maxBytes) =>
    `El libro ocupa más de ${formatBytes(maxBytes)} descomprimido. Hay que guardar la hoja como CSV.`,

  columnNumber: (column) => `Columna ${formatNumber(column)}`,
  warnings: {
    doubled: (heading, letters) => `Varias columnas (${letters}) se llaman «${heading}».`,
    numberFormat: (letter, heading, row) =>
      `${column(letter, heading)} muestra números de forma distinta a como están guardados, por primera vez en la fila ${formatNumber(row)}. Las filas con cifras diferentes no son válidas. Hay que dar formato de texto a la columna.`,
    longNumber: (letter, heading, row) =>
      `${column(letter, heading)} contiene números con más cifras de las que guarda una hoja de cálculo, por primera vez en la fila ${formatNumber(row)}. Hay que dar formato de texto a la columna y volver a introducir los valores.`,
    formula: (letter, heading, row) =>
      `${column(letter, heading)} contiene fórmulas sin resultado, por primera vez en la fila ${formatNumber(row)}. Hay que abrir el archivo en Excel y guardarlo para que se calculen las fórmulas.`,
    noHeading: (letter, row) =>
      `La columna ${letter} contiene valores, pero no tiene encabezado, por primera vez en la fila ${formatNumber(row)}. Se omite.`,
    hiddenRows: (count, row) =>
      `La hoja tiene ${plural(count, 'fila oculta', 'filas ocultas')} a partir de la fila ${formatNumber(row)}. Las filas ocultas también se importan.`,
    merged: (ranges) => `Celdas combinadas (${ranges}): solo la primera celda de cada grupo tiene valor.`,
    mergedMany: (count, ranges) =>
      `${plural(count, 'grupo', 'grupos')} de celdas combinadas (${ranges} y más): solo la primera celda de cada grupo tiene valor.`,
  },
  columnTwice: (column, fields) =>
    `«${column}» está asignada a varios campos: ${fields.join(', ')}. Hay que elegir uno.`,
  fieldNotAccepted: (field) => `${field} no se puede establecer aquí. Hay que omitir esta columna.`,
  columnUnknown: (field) => `La columna de ${field} ya no existe. Hay que elegir otra.`,

  formulaError: (text) => `La celda contiene ${text}, un error de fórmula.`,
  someFormulaError: 'La celda contiene un error de fórmula.',
  uncertain: {
    FORMULA_NOT_CALCULATED: `La celda es una fórmula cuyo resultado no está en el archivo. ${calculate}`,
    NUMBER_NOT_EXACT: `El número tiene más cifras de las que se pueden guardar con exactitud, así que las últimas pueden ser incorrectas. ${asText}`,
    NUMBER_FORMAT: `El formato muestra algo distinto del número. ${asText}`,
    DATE: `La celda es una fecha. ${asText}`,
    BOOLEAN: `La celda es verdadero o falso, no texto. ${asText}`,
    LIST: 'La celda es una lista. Hay que introducir un solo valor.',
    MERGED: 'La celda forma parte de celdas combinadas. Hay que separarlas y rellenar cada fila.',
    KEY_TWICE: 'El valor aparece dos veces. Hay que dejar el correcto.',
    MALFORMED:
      'No se puede leer la celda. Hay que abrir el archivo en Excel, revisar la celda y guardar el archivo.',
    SHORTENED: (text) =>
      `${text} es un número largo que una hoja de cálculo ha abreviado. Hay que dar formato de texto a la columna, volver a introducir el valor y guardar el archivo.`,
    CUT_OFF: 'La fila termina antes de esta columna. Todas las filas deben tener el mismo número de celdas.',
    NOT_IN_TABLE: (text) => `«${text}» no está en la tabla de valores de esta columna.`,
    DATE_FORMAT: (text) => `«${text}» no es una fecha en el formato de esta columna.`,
  },
  nameUnknown: (name) =>
    `«${name}» no está en el directorio. Corrija el nombre o decida en el paso «Nombres» qué significa.`,
  cellsStray: (texts) =>
    `La fila tiene más celdas que encabezados: ${texts.map((text) => `«${text}»`).join(', ')}.`,
  cellsMissing: (count) =>
    choose(
      count,
      'La fila tiene una celda menos que encabezados.',
      `La fila tiene ${formatNumber(count)} celdas menos que encabezados.`,
    ),
  quoteStray: 'La celda empieza con comillas, pero no termina con ellas. Se toma tal como está.',
};
