import type { homeCopy as english } from '../en/home.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const daysAgo = (days: number) => plural(days, 'Tag', 'Tagen');

export const homeCopy: Translation<typeof english> = {
  title: 'Startseite',
  range: 'Zeitraum',
  ranges: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage', 365: '1 Jahr' },
  cannotLoad: 'Die Zahlen konnten nicht geladen werden',
  chart: {
    chart: 'Diagramm',
    table: 'Tabelle',
    view: (title) => `Ansicht von „${title}“`,
    day: 'Tag',
    numbers: (title) => `Zahlen zu „${title}“`,
    keys: 'Mit den Pfeiltasten bewegen Sie sich von Tag zu Tag.',
    keysAndOpen:
      'Mit den Pfeiltasten bewegen Sie sich von Tag zu Tag. Mit der Eingabetaste öffnen Sie einen Tag.',
  },
  tiles: {
    active: 'Aktive Benutzer',
    inactive: 'Inaktive Benutzer',
    created: 'Neue Benutzer',
    inDays: (days) =>
      choose(
        days,
        'am letzten Tag und noch vorhanden',
        `in den letzten ${formatNumber(days)} Tagen und noch vorhanden`,
      ),
    more: (count, days) => `${formatNumber(count)} mehr als vor ${daysAgo(days)}`,
    fewer: (count, days) => `${formatNumber(count)} weniger als vor ${daysAgo(days)}`,
    same: (days) => `So viele wie vor ${daysAgo(days)}`,
  },
  users: {
    title: 'Benutzer im Zeitverlauf',
    note: 'Gestapelt: Der obere Rand zeigt die Zahl aller Benutzer, aktiv und inaktiv.',
    active: 'Aktiv',
    inactive: 'Inaktiv',
    link: 'Benutzer anzeigen',
    summary: (from, to, before, after) =>
      `Vom ${from} bis zum ${to} änderte sich die Zahl der aktiven Benutzer von ${formatNumber(before[0])} auf ${formatNumber(after[0])} und die der inaktiven von ${formatNumber(before[1])} auf ${formatNumber(after[1])}.`,
  },
  changes: {
    title: 'Änderungen pro Tag',
    created: 'Neu',
    updated: 'Geändert',
    deactivated: 'Deaktiviert',
    reactivated: 'Reaktiviert',
    removed: 'Entfernt',
    link: 'Änderungen anzeigen',
    summary: (from, to, total, busiest, most) =>
      `${plural(total, 'Änderung', 'Änderungen')} vom ${from} bis zum ${to}. Die meisten am ${busiest}: ${formatNumber(most)}.`,
    none: (from, to) => `Keine Änderungen vom ${from} bis zum ${to}.`,
  },
  attention: {
    title: 'Zu erledigen',
    underWay: 'In Arbeit',
    dismiss: 'Ausblenden',
    dismissLine: (label) => `Ausblenden: ${label}`,
    feedsRows: 'Feeds mit fehlgeschlagenen Zeilen im letzten Lauf',
    failedRows: (source) => `Fehlgeschlagene Zeilen: ${source}`,
    system: 'Probleme des Dienstes',
    nothing: 'Derzeit gibt es nichts zu beachten.',
    feedsWaiting: 'Feeds, die auf Genehmigung warten',
    feedsFailed: 'Feeds, die fehlgeschlagen oder überfällig sind',
    approvals: 'Änderungen, die auf Ihre Genehmigung warten',
    othersApprovals: 'Änderungen, die jemand anderes genehmigen muss',
    withoutManager: 'Mitarbeitende ohne aktive Führungskraft',
    planned: 'Geplante Änderungen',
    failedMessages: 'Fehlgeschlagene Nachrichten',
    heldMessages: 'Zurückgehaltene Nachrichten, die freigegeben werden müssen',
    waitingMessages: 'Nachrichten im Versand',
    failingWebhooks: 'Gestörte Webhooks',
    failingTargets: 'Verbundene Dienste mit Fehlern',
    stoppedProviders: 'Identitätsanbieter, die an der Grenze für Deaktivierungen angehalten wurden',
    count: (count, isMore) => (isMore ? `${formatNumber(count)}+` : formatNumber(count)),
  },
  checklist: {
    title: 'Erste Schritte',
    progress: (done, all) => `${done} von ${all} erledigt.`,
    hide: 'Ausblenden',
    steps: {
      import: {
        title: 'Eine Datei importieren',
        text: 'Übernehmen Sie Ihre Mitarbeitenden aus CSV oder Excel. Sie können es rückgängig machen.',
      },
      email: {
        title: 'E-Mail einrichten',
        text: 'Passwörter werden bisher nur in Dateien geschrieben. Ihre IT kann einen Mailserver anbinden.',
      },
      colleague: {
        title: 'Eine Kollegin oder einen Kollegen einladen',
        text: 'Öffnen Sie einen Benutzer, und wählen Sie „Rolle ändern…“. Dann kann noch jemand helfen und genehmigen, was Sie beantragen.',
      },
      backup: {
        title: 'Eine Sicherung anlegen',
        text: 'Ihre IT kann jede Nacht eine Sicherung anlegen lassen.',
      },
    },
  },
  recent: {
    title: 'Letzte Importe und Sammeländerungen',
    empty: 'Noch keine Importe. Änderungen aus einer Datei oder durch ein anderes Programm erscheinen hier.',
    all: 'Alle anzeigen',
    planned: (count) => `${users(count)} geplant`,
    changes: (count) => (count === 0 ? 'Keine Änderungen' : plural(count, 'Änderung', 'Änderungen')),
    succeeded: (count) => `${users(count)} erfolgreich`,
    failed: (count) => `${formatNumber(count)} fehlgeschlagen`,
  },
  start: {
    title: 'Willkommen bei Rollcall',
    lead: 'In drei Schritten zu Ihren Mitarbeitenden:',
    steps: {
      file: {
        title: '1. Datei auswählen',
        text: 'Exportieren Sie die Daten Ihrer Beschäftigten aus dem Personalsystem als CSV- oder Excel-Datei. Personalnummer, Name und eine E-Mail-Adresse oder Telefonnummer genügen.',
      },
      check: {
        title: '2. Vorschau prüfen',
        text: 'Rollcall erkennt die Spalten und zeigt jeden Benutzer, bevor etwas gespeichert wird. Einzelne Zellen können Sie direkt korrigieren.',
      },
      run: {
        title: '3. Importieren',
        text: 'Neue Benutzer erhalten ihr Passwort per E-Mail oder SMS. Den Import können Sie mit einem Klick rückgängig machen.',
      },
    },
    import: 'Benutzer importieren',
    create: 'Einzelnen Benutzer anlegen',
    ask: 'Bitten Sie einen Bearbeiter oder Administrator, Benutzer zu importieren.',
  },
};
