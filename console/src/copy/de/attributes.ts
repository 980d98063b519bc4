import type { attributesCopy as english } from '../en/attributes.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const attributesCopy: Translation<typeof english> = {
  lead: 'Felder, die Ihr Unternehmen bei Benutzern ergänzt. Sie erscheinen auf den Seiten der Benutzer, in Listen und Dateien sowie in der API.',
  empty: 'Noch keine Attribute',
  emptyHint:
    'Mit Attributen halten Sie mehr über Benutzer fest als die Felder, die alle haben. Zum Beispiel:',
  examples: [
    {
      name: 'Standort',
      text: 'Eine Auswahl wie Berlin oder Lyon. Filtern Sie die Liste der Benutzer danach.',
    },
    { name: 'Vertragsende', text: 'Ein Datum. Finden Sie alle, deren Vertrag in diesem Quartal endet.' },
  ],
  columns: {
    label: 'Bezeichnung',
    key: 'Schlüssel',
    type: 'Typ',
    flags: 'Eigenschaften',
    actions: 'Aktionen',
  },
  actionsFor: (name) => `Aktionen für ${name}`,
  types: {
    text: 'Freitext',
    number: 'Zahl',
    date: 'Datum',
    boolean: 'Ja oder nein',
    choice: 'Auswahl',
    list: 'Liste von Texten',
  },
  typeHints: {
    text: 'Beliebiger Text in einer Zeile, zum Beispiel eine Ausweisnummer.',
    number:
      'Eine Zahl zum Vergleichen, zum Beispiel Wochenstunden. Für Kennungen eignet sich Freitext: Er behält führende Nullen.',
    date: 'Ein Tag ohne Uhrzeit, zum Beispiel der erste Arbeitstag.',
    boolean: 'Kann auch offen bleiben.',
    choice: 'Einer der Werte, die Sie vorgeben.',
    list: 'Mehrere Texte, zum Beispiel Zertifikate.',
  },
  flags: {
    isUnique: 'Eindeutig',
    isSearchable: 'Durchsuchbar',
    isFilterable: 'Filterbar',
    isSensitive: 'Vertraulich',
    isEditableByUser: 'Selbst änderbar',
  },
  flagHints: {
    isUnique: 'Keine zwei Benutzer können denselben Wert haben.',
    isSearchable: 'Die Suche findet Benutzer über diesen Wert. Nicht für vertrauliche Attribute möglich.',
    isFilterable: 'Die Liste der Benutzer lässt sich danach filtern und sortieren.',
    isSensitive: 'Nur Administratoren und API-Zugänge mit dieser Berechtigung sehen und ändern den Wert.',
    isEditableByUser: 'Benutzer dürfen ihren eigenen Wert ändern.',
  },
  retired: 'Stillgelegt',
  retiredHint: 'Der Wert bleibt erhalten, kann aber nicht mehr geändert werden.',
  sensitive: 'vertraulich',
  sensitiveHint: 'Vertraulich: nur für Administratoren und API-Zugänge mit dieser Berechtigung sichtbar.',

  form: {
    labels: 'Bezeichnungen',
    labelsHint: 'So heißt das Attribut. Fehlt die Bezeichnung in einer Sprache, wird eine andere angezeigt.',
    key: 'Schlüssel',
    keyHint:
      'Der Name in der API und in Dateien. Buchstaben und Ziffern, mit einem Kleinbuchstaben am Anfang.',
    keyInvalid: (max) =>
      `Verwenden Sie nur Buchstaben von a bis z und Ziffern, höchstens ${max}, mit einem Kleinbuchstaben am Anfang.`,
    renameHint: 'Programme, die den alten Schlüssel verwenden, müssen angepasst werden.',
    type: 'Typ',
    typeFixed: 'Der Typ lässt sich später nicht ändern.',
    choices: 'Auswahlwerte',
    choicesHint:
      'Geben Sie die Werte nacheinander ein, jeweils mit der Eingabetaste. Sie werden in dieser Reihenfolge angeboten.',
    choicesRequired: 'Geben Sie mindestens einen Wert ein.',
    maxLength: 'Maximale Länge (Zeichen)',
    maxLengthHint: (standard) => `Ohne Angabe ${formatNumber(standard)}.`,
    pattern: 'Muster',
    patternHint: 'Optional. Ein regulärer Ausdruck (RE2), dem der gesamte Wert entsprechen muss.',
    patternInvalid: 'Das ist kein gültiges Muster. Lookaround und Rückverweise werden nicht unterstützt.',
    boundsReversed: 'Das ist weniger als der Mindestwert.',
    minimum: { number: 'Mindestwert', date: 'Frühestes Datum' },
    maximum: { number: 'Höchstwert', date: 'Spätestes Datum' },
    flags: 'Eigenschaften',
    synonyms: 'Weitere Überschriften in Dateien',
    synonymsHint:
      'Spalten mit diesen Überschriften werden beim Import ebenfalls erkannt. Geben Sie sie nacheinander ein, jeweils mit der Eingabetaste.',
    laterHint:
      'Grenzen, Bezeichnungen in anderen Sprachen und alles Weitere lassen sich später in den Einstellungen festlegen.',
    limitsHint: 'Benutzer behalten Werte, die neue Grenzen ausschließen, bis jemand sie ändert.',
  },
  create: {
    action: 'Attribut hinzufügen',
    done: (name) => `${name} hinzugefügt.`,
    failed: 'Das Attribut konnte nicht hinzugefügt werden',
  },
  edit: {
    action: 'Bearbeiten…',
    title: (name) => `${name} bearbeiten`,
    done: (name) => `${name} gespeichert.`,
    failed: 'Die Änderungen konnten nicht gespeichert werden',
  },
  retire: {
    action: 'Stilllegen…',
    title: (name) => `${name} stilllegen?`,
    text: 'Benutzer behalten ihre Werte, und sie bleiben sichtbar, aber niemand kann neue eingeben. Sie können das Attribut jederzeit wiederherstellen.',
    confirm: 'Stilllegen',
    done: (name) => `${name} stillgelegt.`,
    failed: 'Das Attribut konnte nicht stillgelegt werden',
  },
  restore: {
    action: 'Wiederherstellen…',
    title: (name) => `${name} wiederherstellen?`,
    text: 'Danach können wieder Werte eingegeben werden.',
    confirm: 'Wiederherstellen',
    done: (name) => `${name} wiederhergestellt.`,
    failed: 'Das Attribut konnte nicht wiederhergestellt werden',
  },
  remove: {
    action: 'Löschen…',
    title: (name) => `${name} löschen?`,
    counting: 'Benutzer mit einem Wert werden gezählt…',
    notCounted: 'Die Benutzer mit einem Wert konnten nicht gezählt werden',
    unused: 'Kein Benutzer hat einen Wert. Die Definition wird endgültig gelöscht.',
    inUse: (count) =>
      `${users(count)} ${choose(count, 'hat einen Wert. Er wird', 'haben Werte. Sie werden')} mit dem Attribut gelöscht.`,
    alternative: 'Um die Werte zu behalten, legen Sie das Attribut stattdessen still.',
    confirm: (count) =>
      count === 0 ? 'Löschen' : `Werte von ${users(count)}${choose(count, '', 'n')} löschen`,
    done: (name) => `${name} gelöscht.`,
    doneTitle: 'Attribut gelöscht',
    cleared: (count) =>
      `Die Werte von ${users(count)}${choose(count, '', 'n')} wurden entfernt. Das lässt sich unter Aktivität rückgängig machen.`,
    view: 'Unter Aktivität ansehen',
    failed: 'Das Attribut konnte nicht gelöscht werden',
  },

  input: {
    notSet: 'Offen',
    choose: 'Auswählen',
    clear: (name) => `${name} leeren`,
    listHint: 'Geben Sie die Einträge nacheinander ein, jeweils mit der Eingabetaste.',
  },
  rules: {
    text: (max) => `Geben Sie höchstens ${formatNumber(max)} Zeichen in einer Zeile ein.`,
    pattern: (pattern) => `Der Wert muss dem Muster ${pattern} entsprechen.`,
    number: (example) => `Geben Sie eine Zahl ein, zum Beispiel ${example}.`,
    digits: (max, smallest) =>
      `Geben Sie eine Zahl mit höchstens ${max} Ziffern ein, die nicht näher an null liegt als ${smallest}. Für Kennungen eignet sich Freitext.`,
    date: 'Geben Sie ein Datum ein.',
    atLeast: (bound) => `Der kleinste zulässige Wert ist ${bound}.`,
    atMost: (bound) => `Der größte zulässige Wert ist ${bound}.`,
    between: (from, to) => `Zulässig sind Werte von ${from} bis ${to}.`,
    choice: 'Wählen Sie einen der angebotenen Werte.',
    oneOf: (choices) => `Wählen Sie eine dieser Möglichkeiten: ${choices}.`,
    boolean: 'Wählen Sie Ja oder Nein.',
    list: (max, count) =>
      `Geben Sie höchstens ${formatNumber(count)} Texte mit jeweils bis zu ${formatNumber(max)} Zeichen ein.`,
  },

  filter: {
    is: 'ist',
    range: 'von – bis',
    isSet: 'hat einen Wert',
    isNotSet: 'ist leer',
    from: 'Von',
    to: 'Bis',
    valuesHint:
      'Geben Sie einen Wert ein und drücken Sie die Eingabetaste. Mehrere Werte finden Benutzer mit einem davon.',
    isSetText: (name) => `${name} hat einen Wert`,
    isNotSetText: (name) => `${name} ist leer`,
    rangeText: (name, from, to) => {
      if (from === undefined) return `${name} bis ${to}`;
      if (to === undefined) return `${name} ab ${from}`;
      return from === to ? `${name} ist ${from}` : `${name} ${from} – ${to}`;
    },
  },
  sort: {
    ascending: (name) => `${name} (aufsteigend)`,
    descending: (name) => `${name} (absteigend)`,
  },
  change: {
    attribute: 'Attribut',
    value: 'Neuer Wert',
    valueRequired: 'Geben Sie einen Wert ein.',
  },
};
