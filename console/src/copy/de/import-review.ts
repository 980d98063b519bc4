import type { importReviewCopy as english } from '../en/import-review.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const importReviewCopy: Translation<typeof english> = {
  otherName: (row) =>
    `Zeile ${formatNumber(row)} hat dieselbe Personalnummer, aber einen anderen Namen. Korrigieren Sie eine der beiden Zeilen, oder lassen Sie eine aus.`,
  unusualID: (digits, usual) =>
    `Diese Personalnummer hat ${choose(digits, 'nur eine Ziffer', `${formatNumber(digits)} Ziffern`)}. Üblich sind ${formatNumber(usual)}.`,
  emailTaken: 'Diese E-Mail-Adresse hat ein anderer Benutzer:',
  phoneWithoutDigits: 'Diese Telefonnummer enthält keine Ziffern.',
  incompleteEmail: 'Diese E-Mail-Adresse ist wohl unvollständig: Am Ende fehlt etwas wie „.de“.',
  formerID: 'Das ist eine frühere Personalnummer. Wer sie hatte, hat jetzt eine andere:',
  formerIDs: (from, to, count) =>
    `${plural(count, 'Zeile hat', 'Zeilen haben')} eine frühere Personalnummer, zum Beispiel ${from}, jetzt ${to}.`,
  currentIDsFix: (count) => `Aktuelle Personalnummern in ${plural(count, 'Zeile', 'Zeilen')} verwenden`,
  rowsForUsers: (rows, count) =>
    `${plural(rows, 'Zeile wird gesendet und betrifft', 'Zeilen werden gesendet und betreffen')} ${users(count)}.`,
  restored: {
    text: (file, time, edits) =>
      edits === 0
        ? `Wiederhergestellt: ${file}, Stand ${time}.`
        : `Wiederhergestellt: ${file} mit ${plural(edits, 'Änderung', 'Änderungen')}, Stand ${time}.`,
    where:
      'Nur dieser Browser bewahrt den Import auf, bis er abgeschlossen ist oder Sie sich abmelden, höchstens einen Tag.',
    discard: 'Diesen Import verwerfen',
  },
  replace: {
    title: (heading) => `In „${heading}“ suchen und ersetzen`,
    find: 'Suchen nach',
    replaceWith: 'Ersetzen durch',
    wholeCell: 'Nur wenn es die ganze Zelle ist',
    found: (count) => `In ${plural(count, 'Zeile', 'Zeilen')} gefunden.`,
    confirm: (count) => `In ${plural(count, 'Zeile', 'Zeilen')} ersetzen`,
    failed: 'Der Text konnte nicht ersetzt werden',
  },
  emailOfRow: (name, row) => `${name} in Zeile ${formatNumber(row)} hat dieselbe E-Mail-Adresse.`,
  lostZeros: (digits, from, count) =>
    choose(
      count,
      `Hat eine Tabellenkalkulation führende Nullen entfernt? Personalnummern haben üblicherweise ${plural(digits, 'Ziffer', 'Ziffern')}, in der Datei steht aber ${from}.`,
      `Hat eine Tabellenkalkulation führende Nullen entfernt? Personalnummern haben üblicherweise ${plural(digits, 'Ziffer', 'Ziffern')}, in ${plural(count, 'Zeile', 'Zeilen')} sind es weniger, zum Beispiel ${from}.`,
    ),
  wrongColumn: (heading, count) =>
    `${plural(count, 'Zeile ist', 'Zeilen sind')} wegen der Spalte „${heading}“ ungültig. Der Import kommt ohne sie aus.`,
  lastNameFirst: (from, count) =>
    choose(
      count,
      `In „${from}“ steht der Nachname vorn.`,
      `In ${plural(count, 'Namen', 'Namen')} steht der Nachname vorn, zum Beispiel „${from}“.`,
    ),
  lastNameFirstFix: (to, count) =>
    choose(count, `In „${to}“ ändern`, `${plural(count, 'Namen', 'Namen')} umdrehen: „${to}“`),
  spacedIDs: (from, count) =>
    choose(
      count,
      `Die Personalnummer „${from}“ enthält ein Leerzeichen.`,
      `${plural(count, 'Personalnummer enthält', 'Personalnummern enthalten')} Leerzeichen, zum Beispiel „${from}“.`,
    ),
  spacedIDsFix: (to, count) =>
    choose(
      count,
      `Leerzeichen entfernen: ${to}`,
      `Leerzeichen in ${plural(count, 'Zeile', 'Zeilen')} entfernen: ${to}`,
    ),
  skipColumn: (heading) => `Spalte „${heading}“ überspringen`,
  fields: {
    title: 'Was sich ändert',
    line: (field, text) => `${field}: ${text}`,
    users,
    newOrganizations: (count, names) =>
      `${plural(count, 'neue Organisation', 'neue Organisationen')} (${names})`,
    newTags: (count, names) => `${plural(count, 'neues Schlagwort', 'neue Schlagwörter')} (${names})`,
  },
  andMore: (count) => `${formatNumber(count)} weitere`,
  confirm: {
    title: (count) => `${users(count)} importieren?`,
    numbers: 'Was der Import bewirkt',
    kinds: {
      created: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} angelegt.`,
      updated: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} geändert.`,
      renamed: (count) =>
        `${users(count)} ${choose(count, 'erhält', 'erhalten')} eine andere Personalnummer.`,
      deactivated: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} deaktiviert.`,
      reactivated: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} reaktiviert.`,
    },
    passwords: {
      now: (count) => `${plural(count, 'Passwort wird', 'Passwörter werden')} per E-Mail oder SMS gesendet.`,
      hold: (count) =>
        `${plural(count, 'Passwort wird', 'Passwörter werden')} zurückgehalten, bis ein Administrator ${choose(count, 'es', 'sie')} freigibt.`,
    },
    inactive: (count) =>
      `${plural(count, 'inaktiver Benutzer erhält', 'inaktive Benutzer erhalten')} das Passwort erst bei der Aktivierung.`,
    leftOut: (count) => `${plural(count, 'ungültige Zeile wird', 'ungültige Zeilen werden')} ausgelassen.`,
    deactivation:
      'Deaktivierte Benutzer werden abgemeldet und verlieren ihre Rollen. Wird der Import rückgängig gemacht, sind sie wieder aktiv, erhalten ihre Rollen aber nicht zurück.',
    renaming: 'Benutzer ohne Benutzernamen melden sich danach mit der neuen Personalnummer an.',
    cannotRecall: 'Gesendete Passwörter lassen sich nicht zurückholen.',
    now: 'Der Import wird sofort ausgeführt.',
    onDate: (day) => `Der Import wird am ${day} ausgeführt.`,
    afterApproval: 'Der Import wird ausgeführt, sobald jemand anderes ihn genehmigt hat.',
    afterApprovalFrom: (day) =>
      `Der Import wird ausgeführt, sobald jemand anderes ihn genehmigt hat, frühestens am ${day}.`,
    start: { now: 'Import starten', date: 'Import planen', approval: 'Genehmigung anfordern' },
    failed: 'Der Import konnte nicht gestartet werden',
  },
  result: {
    done: (count) => `Importiert: ${users(count)}.`,
    kinds: (kinds) => `${kinds}.`,
    kind: {
      created: (count) => `${formatNumber(count)} neu`,
      updated: (count) => `${formatNumber(count)} geändert`,
      renamed: (count) => `${formatNumber(count)} mit anderer Personalnummer`,
      deactivated: (count) => `${formatNumber(count)} deaktiviert`,
      reactivated: (count) => `${formatNumber(count)} reaktiviert`,
    },
    failed: (count) =>
      choose(
        count,
        '1 Zeile ist fehlgeschlagen.',
        `${plural(count, 'Zeile', 'Zeilen')} sind fehlgeschlagen.`,
      ),
    leftOut: (count) => `${plural(count, 'ungültige Zeile wurde', 'ungültige Zeilen wurden')} ausgelassen.`,
    held: (count) =>
      `${plural(count, 'Passwortnachricht wird', 'Passwortnachrichten werden')} zurückgehalten und ${choose(count, 'wurde', 'wurden')} noch nicht gesendet.`,
    release: 'Anzeigen und freigeben',
    parts: (count) =>
      `Die Zeilen wurden in ${plural(count, 'Teil', 'Teilen')} gesendet, weil der Dienst nur eine begrenzte Anzahl auf einmal annimmt.`,
    call: (succeeded, failed) =>
      `${plural(succeeded, 'Zeile', 'Zeilen')} erfolgreich, ${formatNumber(failed)} fehlgeschlagen`,
    plannedCall: (planned, failed) =>
      `${plural(planned, 'Zeile', 'Zeilen')} geplant, ${formatNumber(failed)} fehlgeschlagen`,
  },
  language: (language) =>
    `Nachrichten an neue Benutzer sind in der Sprache dieser Installation: ${language}. Solange ein Passwort zurückgehalten wird, können Sie im Profil des Benutzers eine andere Sprache wählen.`,
  lostLetters:
    'In diesem Namen sind offenbar Buchstaben verloren gegangen. Korrigieren Sie ihn, oder speichern Sie die Datei neu als Excel-Arbeitsmappe (.xlsx) oder als „CSV UTF-8“.',
};
