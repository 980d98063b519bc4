import { readableTime } from '../readable-time.js';
import { countsText, type NoticeTexts, numbersIn, rowsNamed } from './texts.js';

const { number, plural } = numbersIn('de');

const countLabels = {
  rows: 'Zeilen',
  created: 'angelegt',
  rehired: 'wiedereingestellt',
  updated: 'geändert',
  renamed: 'mit neuer Personalnummer',
  reactivated: 'reaktiviert',
  deactivated: 'deaktiviert',
  failed: 'fehlgeschlagen',
};

const callKinds = {
  'create-bulk': 'Benutzer anlegt',
  'update-bulk': 'Benutzer ändert',
  'upsert-bulk': 'Benutzer anlegt und ändert',
  'update-matching': 'die Benutzer ändert, auf die ein Filter zutrifft',
  'rename-organization': 'eine Organisation umbenennt',
  'merge-organization': 'Organisationen zusammenführt',
  'rename-tag': 'ein Schlagwort umbenennt',
  'merge-tag': 'Schlagwörter zusammenführt',
  'delete-attribute': 'ein Attribut löscht',
  'erase-bulk': 'Benutzer endgültig löscht',
  undo: 'einen früheren Vorgang rückgängig macht',
};

const time = (text: string) => readableTime(new Date(text), 'de');

function rowsLine(rowNumbers: readonly number[] = []): string[] {
  if (rowNumbers.length === 0) return [];
  const { list, beyond } = rowsNamed(rowNumbers);
  const row = rowNumbers.length === 1 ? 'Betroffene Zeile' : 'Betroffene Zeilen';
  return [`${row}: ${list}${beyond > 0 ? ` und ${number(beyond)} weitere` : ''}.`];
}

export const german: NoticeTexts = {
  feedFailed: ({ feed, counts, reasons, rowNumbers }) => ({
    title: `Der Feed „${feed.name}“ ist fehlgeschlagen`,
    lines: [
      `Ein Lauf des Feeds „${feed.name}“ ist fehlgeschlagen.`,
      ...reasons,
      ...countsText(counts, countLabels, number),
      ...rowsLine(rowNumbers),
    ],
  }),
  feedStopped: ({ feed, counts, reasons, rowNumbers }) => ({
    title: `Der Feed „${feed.name}“ wartet auf Genehmigung`,
    lines: [
      `Ein Lauf des Feeds „${feed.name}“ wurde angehalten, bevor er etwas geändert hat.`,
      ...reasons,
      ...countsText(counts, countLabels, number),
      ...rowsLine(rowNumbers),
      'Prüfen Sie, was der Lauf ändern würde. Genehmigen Sie ihn dann, oder brechen Sie ihn ab.',
    ],
  }),
  feedDigest: ({ feeds }) => ({
    title: 'Zusammenfassung der Feeds',
    lines: feeds.map(({ name, runs, counts, state }) =>
      [
        `${name}: ${runs === 0 ? 'keine Läufe' : plural(runs, 'Lauf', 'Läufe')}.`,
        ...countsText(counts, countLabels, number),
        ...(state === 'failed' ? ['Der letzte Lauf ist fehlgeschlagen.'] : []),
        ...(state === 'stopped' ? ['Der letzte Lauf wartet auf Genehmigung.'] : []),
      ].join(' '),
    ),
  }),
  callApproval: ({ call, effectiveAt }) => ({
    title: 'Ein Sammelvorgang wartet auf Genehmigung',
    lines: [
      `Ein Sammelvorgang, der ${callKinds[call.kind]}, wartet auf Genehmigung. Er umfasst ${plural(call.items, 'Eintrag', 'Einträge')}. Bisher wurde nichts geändert.`,
      effectiveAt === null
        ? 'Er wird ausgeführt, sobald er genehmigt ist.'
        : `Nach der Genehmigung wird er zu diesem Zeitpunkt ausgeführt: ${time(effectiveAt)}.`,
      'Prüfen Sie die Vorschau. Genehmigen Sie den Vorgang dann, oder brechen Sie ihn ab.',
    ],
  }),
  webhookDisabled: ({ webhook }, more) => ({
    title: more === 0 ? 'Ein Webhook wurde deaktiviert' : `${number(more + 1)} Webhooks wurden deaktiviert`,
    lines: [
      `Rollcall sendet keine Ereignisse mehr an den Webhook bei ${webhook.host}: Der Empfänger war dauerhaft gestört oder hat gemeldet, dass es ihn nicht mehr gibt.`,
      ...(more > 0 ? [`Das Gleiche gilt für ${plural(more, 'weiteren Webhook', 'weitere Webhooks')}.`] : []),
      'Die Liste der Webhooks zeigt den Fehler. Aktivieren Sie den Webhook, sobald der Empfänger wieder funktioniert: Er macht dort weiter, wo er aufgehört hat.',
    ],
  }),
  scimTargetPaused: ({ target }, more) => ({
    title: more === 0 ? 'Ein SCIM-Ziel wurde angehalten' : `${number(more + 1)} SCIM-Ziele wurden angehalten`,
    lines: [
      `Rollcall überträgt keine Benutzer mehr an „${target.name}“: Das Ziel war dauerhaft gestört.`,
      ...(more > 0 ? [`Das Gleiche gilt für ${plural(more, 'weiteres Ziel', 'weitere Ziele')}.`] : []),
      'Die Liste der Ziele zeigt den Fehler. Setzen Sie das Ziel fort, sobald es wieder funktioniert: Es macht dort weiter, wo es aufgehört hat.',
    ],
  }),
  backupFailed: ({ at }, more) => ({
    title: 'Eine geplante Sicherung ist fehlgeschlagen',
    lines: [
      `Die geplante Sicherung ist fehlgeschlagen. Zeitpunkt: ${time(at)}.`,
      ...(more > 0
        ? [
            `Danach ${more === 1 ? 'ist' : 'sind'} ${plural(more, 'weitere Sicherung', 'weitere Sicherungen')} fehlgeschlagen.`,
          ]
        : []),
      'Rollcall versucht es weiter und protokolliert jeden Fehler. Bis eine Sicherung gelungen ist, gibt es keinen weiteren Hinweis.',
    ],
  }),
  places: {
    feeds: 'Feeds',
    calls: 'Aktivität → Sammelvorgänge',
    webhooks: 'Einstellungen → Webhooks',
    targets: 'Einstellungen → Ausgehende Bereitstellung',
    status: 'Einstellungen → Status',
  },
  open: 'In Rollcall öffnen',
};
