import { importNoteText } from '#sheets';
import type { NoticeFacts } from '../../domain/notices/notices.js';
import { readableTime } from '../readable-time.js';
import {
  countsText,
  effectsText,
  type NoticeDetails,
  type NoticeTexts,
  namesText,
  numbersIn,
  rowsNamed,
  type Start,
  startOf,
  withoutStop,
} from './texts.js';

const { number, plural } = numbersIn('de');

const countLabels = {
  rows: 'Zeilen',
  created: 'neu',
  rehired: 'wiedereingestellt',
  updated: 'geändert',
  renamed: 'mit neuer Personalnummer',
  reactivated: 'reaktiviert',
  deactivated: 'deaktiviert',
  failed: 'fehlgeschlagen',
};

const users = (count: number) => plural(count, 'Benutzer', 'Benutzer');
const ofUsers = (count: number) => plural(count, 'Benutzer', 'Benutzern');
const does = {
  created: (count: number) => `${users(count)} anlegen`,
  rehired: (count: number) => `${users(count)} wiedereinstellen`,
  deactivated: (count: number) => `${users(count)} deaktivieren`,
  reactivated: (count: number) => `${users(count)} reaktivieren`,
  renumbered: (count: number) => `die Personalnummer von ${ofUsers(count)} ändern`,
  updated: (count: number) => `Daten von ${ofUsers(count)} ändern`,
  deleted: (count: number) => `${users(count)} entfernen`,
};

/** When a call takes effect, as part of a title and in sentences. */
function timing(start: Start | undefined) {
  if (start?.lastDay) {
    return {
      when: `, letzter Arbeitstag ${start.lastDay}`,
      asked: `Nach der Genehmigung gilt: aktiv bis Ende des ${start.lastDay}, inaktiv ab dem ${start.day}.`,
      approved: `Die Personen sind bis Ende des ${start.lastDay} aktiv und ab dem ${start.day} inaktiv.`,
    };
  }
  if (!start) {
    return {
      when: '',
      asked: 'Die Sammeländerung wird ausgeführt, sobald sie genehmigt ist.',
      approved: 'Die Sammeländerung wird jetzt ausgeführt.',
    };
  }
  const at = start.day ? `zu Beginn des ${start.day}` : `am ${start.time}`;
  return {
    when: `, am ${start.day ?? start.time}`,
    asked: `Nach der Genehmigung wird die Sammeländerung ${at} ausgeführt.`,
    approved: `Die Sammeländerung wird ${at} ausgeführt.`,
  };
}

const leftOut = (count: number) => `${plural(count, 'ungültige Zeile', 'ungültige Zeilen')} ausgelassen`;

/** What a call does, to whom and when. */
function callParts(facts: NoticeFacts['callApproval'], { people, style }: NoticeDetails) {
  const { call, effects } = facts;
  const what =
    effectsText(effects, does, 'de') ||
    `eine Sammeländerung mit ${plural(call.items, 'Zeile', 'Zeilen')} ausführen`;
  const others = (count: number) => plural(count, 'weitere Person', 'weitere Personen');
  const names = namesText(people?.users ?? [], effects, { language: 'de', others });
  const { when, ...effect } = timing(startOf(facts, style));
  return {
    what: `${what}${when}`,
    whom: names === '' ? what : `${what}: ${names}`,
    note: people?.note ? [`Notiz: ${withoutStop(importNoteText(people.note, leftOut))}.`] : [],
    ...effect,
  };
}

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
  callApproval: (facts, details) => {
    const { what, whom, note, asked } = callParts(facts, details);
    const author = details.people?.author;
    return {
      title: author ? `${author} bittet um Genehmigung: ${what}` : `Genehmigung erforderlich: ${what}`,
      lines: [
        `${author ?? 'Jemand'} möchte ${whom}.`,
        ...(facts.call.kind === 'undo' ? ['Damit wird eine frühere Sammeländerung rückgängig gemacht.'] : []),
        ...note,
        'Bisher hat sich nichts geändert.',
        asked,
        'Prüfen Sie die Vorschau. Genehmigen Sie die Sammeländerung dann, oder lehnen Sie sie ab.',
      ],
    };
  },
  callDecided: (facts, details) => {
    const { what, whom, approved } = callParts(facts, details);
    const { decider, cancelReason } = details.people ?? {};
    const verb = facts.isApproved ? 'genehmigt' : 'abgelehnt';
    return {
      title: decider
        ? `${decider} hat Ihre Sammeländerung ${verb}: ${what}`
        : `Ihre Sammeländerung wurde ${verb}: ${what}`,
      lines: [
        `${decider ?? 'Jemand'} hat Ihre Anfrage ${verb}. Sie möchten ${whom}.`,
        ...(cancelReason ? [`Grund: ${withoutStop(cancelReason)}.`] : []),
        facts.isApproved
          ? approved
          : 'Es hat sich nichts geändert. Wenn die Änderung weiterhin nötig ist, planen Sie sie neu.',
      ],
    };
  },
  webhookDisabled: ({ webhook }, { more }) => ({
    title: more === 0 ? 'Ein Webhook wurde deaktiviert' : `${number(more + 1)} Webhooks wurden deaktiviert`,
    lines: [
      `Rollcall sendet keine Ereignisse mehr an den Webhook bei ${webhook.host}: Der Empfänger war dauerhaft gestört oder hat gemeldet, dass es ihn nicht mehr gibt.`,
      ...(more > 0 ? [`Das Gleiche gilt für ${plural(more, 'weiteren Webhook', 'weitere Webhooks')}.`] : []),
      'Die Liste der Webhooks zeigt den Fehler. Aktivieren Sie den Webhook, sobald der Empfänger wieder funktioniert: Er macht dort weiter, wo er aufgehört hat.',
    ],
  }),
  scimTargetFailing: ({ target, isPaused }, { more }) => {
    const state = isPaused ? 'wurde angehalten' : 'ist gestört';
    return {
      title:
        more === 0
          ? `Die Verbindung zu einem Dienst ${state}`
          : `Die Verbindung zu ${number(more + 1)} Diensten ist gestört`,
      lines: [
        isPaused
          ? `Rollcall sendet keine Benutzer mehr an „${target.name}“, weil die Verbindung tagelang gestört war.`
          : `Seit etwa einer Stunde kann Rollcall keine Benutzer an „${target.name}“ senden. Rollcall versucht es weiter.`,
        ...(more > 0
          ? [
              more === 1
                ? 'Ein weiterer Dienst ist ebenfalls betroffen.'
                : `${number(more)} weitere Dienste sind ebenfalls betroffen.`,
            ]
          : []),
        isPaused
          ? 'Die Liste der Dienste zeigt den Fehler. Setzen Sie die Verbindung fort, sobald der Dienst wieder funktioniert: Es geht dort weiter, wo es aufgehört hat.'
          : 'Die Liste der Dienste zeigt den Fehler und was zu tun ist.',
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
  backupFailed: ({ at }, { more, style }) => ({
    title: 'Eine geplante Sicherung ist fehlgeschlagen',
    lines: [
      `Die geplante Sicherung ist fehlgeschlagen. Zeitpunkt: ${readableTime(new Date(at), style)}.`,
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
    calls: 'Aktivität → Sammeländerungen',
    webhooks: 'Einstellungen → Webhooks',
    targets: 'Einstellungen → Benutzer senden (SCIM)',
    provisioning: 'Einstellungen → Benutzer empfangen (SCIM)',
    status: 'Einstellungen → Status',
  },
  open: 'In Rollcall öffnen',
};
