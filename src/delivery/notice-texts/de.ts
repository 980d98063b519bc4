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
  scimTargetFailing: ({ target, isPaused }, more) => {
    const state = isPaused ? 'wurde angehalten' : 'ist gestört';
    return {
      title: more === 0 ? `Ein SCIM-Ziel ${state}` : `${number(more + 1)} SCIM-Ziele sind gestört`,
      lines: [
        isPaused
          ? `Rollcall überträgt keine Benutzer mehr an „${target.name}“, weil das Ziel tagelang gestört war.`
          : `Seit etwa einer Stunde kann Rollcall keine Benutzer an „${target.name}“ übertragen. Es versucht es weiter.`,
        ...(more > 0
          ? [
              more === 1
                ? 'Ein weiteres Ziel ist ebenfalls gestört.'
                : `${number(more)} weitere Ziele sind ebenfalls gestört.`,
            ]
          : []),
        isPaused
          ? 'Die Liste der Ziele zeigt den Fehler. Setzen Sie das Ziel fort, sobald es wieder funktioniert: Es macht dort weiter, wo es aufgehört hat.'
          : 'Die Liste der Ziele zeigt den Fehler und was zu tun ist.',
      ],
    };
  },
  scimDeactivationLimit: ({ provider, limit }) => ({
    title: 'Ein Identitätsanbieter hat sein Limit für Deaktivierungen erreicht',
    lines: [
      `„${provider.name}“ hat innerhalb von 24 Stunden ${number(limit)} Benutzer deaktiviert, mehr darf er nicht. Rollcall lehnt weitere Deaktivierungen von ihm ab.`,
      'Prüfen Sie, ob jemand Benutzern versehentlich die Zuweisung entzogen hat. Sind die Deaktivierungen beabsichtigt, lassen Sie auf der Seite des Anbieters mehr zu.',
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
    provisioning: 'Einstellungen → Bereitstellung (SCIM)',
    status: 'Einstellungen → Status',
  },
  open: 'In Rollcall öffnen',
};
