import type { plannedCopy as english } from '../en/planned.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const plannedCopy: Translation<typeof english> = {
  toDecide: (count) =>
    `${plural(count, 'Vorgang', 'Vorgänge')} ${choose(count, 'wartet', 'warten')} auf Ihre Genehmigung.`,
  ofOthers: (count) =>
    `${plural(count, 'Vorgang muss', 'Vorgänge müssen')} von jemand anderem genehmigt werden.`,
  view: 'Anzeigen',
  needsTakeover: 'Muss übernommen werden',

  plannedAt: 'Geplant am',
  effectiveAt: 'Ausführung',
  onceApproved: 'Nach der Genehmigung',
  expiresAt: 'Verfällt',
  approval: 'Genehmigung',
  approvalNeeded: 'Erforderlich',
  approvalNotNeeded: 'Nicht erforderlich',
  author: 'Geplant von',
  cancelledBy: 'Abgebrochen von',
  ifChanged: 'Falls das Ergebnis dann von der Vorschau abweicht',
  ifChangedChoices: {
    skip: 'Diese Benutzer auslassen',
    run: 'Trotzdem ausführen',
    stop: 'Gar nichts ändern',
  },

  isPlanned: (time) => `Dieser Vorgang wird am ${time} ausgeführt. Bisher hat sich nichts geändert.`,
  isDue: 'Dieser Vorgang wird gleich ausgeführt. Bisher hat sich nichts geändert.',
  awaitsApproval: 'Dieser Vorgang wartet auf Genehmigung. Bisher hat sich nichts geändert.',
  awaitsApprovalUntil: (time) =>
    `Dieser Vorgang wartet auf Genehmigung und wird am ${time} ausgeführt. Bisher hat sich nichts geändert.`,
  ownCall: 'Sie haben diesen Vorgang geplant oder übernommen, deshalb muss ihn jemand anderes genehmigen.',
  takeoverNeeded:
    'Wer diesen Vorgang geplant hat, ist dazu nicht mehr berechtigt, der API-Zugang wurde deaktiviert oder sein Secret ersetzt, oder nach dem geplanten Zeitpunkt wurde eine Sicherung wiederhergestellt. Er wird nur ausgeführt, wenn jemand ihn übernimmt.',
  wasCancelled: 'Dieser Vorgang wurde abgebrochen. Er hat nichts geändert.',
  hasExpired:
    'Dieser Vorgang konnte nicht rechtzeitig ausgeführt werden und ist verfallen. Er hat nichts geändert.',

  noted: (note) => `Notiz: ${note}`,
  does: {
    created: (count) => `Legt ${users(count)} an.`,
    rehired: (count) => `Stellt ${users(count)} wieder ein.`,
    deactivated: (count) => `Deaktiviert ${users(count)}.`,
    reactivated: (count) => `Reaktiviert ${users(count)}.`,
    renumbered: (count) => `Ändert die Personalnummer von ${plural(count, 'Benutzer', 'Benutzern')}.`,
    updated: (count) => `Ändert Daten von ${plural(count, 'Benutzer', 'Benutzern')}.`,
    deleted: (count) => `Entfernt ${users(count)}.`,
    erased: (count) => `Löscht ${users(count)} endgültig.`,
    unchanged: (count) => `Lässt ${users(count)} unverändert.`,
    failed: (count) => `Wird bei ${plural(count, 'Benutzer', 'Benutzern')} fehlschlagen.`,
  },
  approve: {
    open: 'Genehmigen…',
    title: 'Diesen Vorgang genehmigen?',
    upTo: (items) => `Ändert bis zu ${users(items)}.`,
    now: 'Er wird sofort ausgeführt, wie in der Vorschau gezeigt.',
    later: (time) => `Er wird am ${time} ausgeführt, wie in der Vorschau gezeigt.`,
    confirm: 'Genehmigen',
    done: 'Vorgang genehmigt.',
    failed: 'Dieser Vorgang konnte nicht genehmigt werden',
  },
  reject: {
    open: 'Ablehnen…',
    title: 'Diesen Vorgang ablehnen?',
    hint: 'Er wird nicht ausgeführt, und nichts ändert sich. Wer ihn angefordert hat, muss ihn neu planen.',
    confirm: 'Ablehnen',
    done: 'Vorgang abgelehnt.',
    failed: 'Dieser Vorgang konnte nicht abgelehnt werden',
  },
  cancel: {
    keep: 'Nicht abbrechen',
    open: 'Vorgang abbrechen…',
    title: 'Diesen Vorgang abbrechen?',
    hint: 'Er wird nicht ausgeführt, und nichts ändert sich.',
    confirm: 'Vorgang abbrechen',
    done: 'Vorgang abgebrochen.',
    failed: 'Dieser Vorgang konnte nicht abgebrochen werden',
  },
  takeOver: {
    open: 'Übernehmen…',
    title: 'Diesen Vorgang übernehmen?',
    hint: 'Er läuft dann in Ihrem Namen: mit Ihren Berechtigungen, und im Verlauf stehen die Änderungen unter Ihrem Namen. Passwörter, die darin angegeben sind, werden durch neu erzeugte ersetzt.',
    approval: 'Danach muss ihn jemand anderes genehmigen.',
    confirm: 'Übernehmen',
    done: 'Vorgang übernommen.',
    failed: 'Dieser Vorgang konnte nicht übernommen werden',
  },

  scope: {
    title: 'Wen es betrifft',
    filter: 'Ausgewählt mit diesem Filter',
    search: (text) => `Suche nach „${text}“`,
    flags: {
      includeParts: {
        true: 'Einschließlich der Teile dieser Organisationen',
        false: 'Ohne Teile der Organisationen',
      },
      hasOrganization: { true: 'Mit Organisation', false: 'Keine Organisation' },
      hasTags: { true: 'Mit Schlagwörtern', false: 'Keine Schlagwörter' },
      hasManager: { true: 'Mit Führungskraft', false: 'Keine Führungskraft' },
    },
    organizations: (count, isAll) => (isAll ? 'Organisationen' : `Organisationen der ersten ${users(count)}`),
    organization: (name, count) => `${name}: ${users(count)}`,
    none: 'Keine Organisation',
    others: (count) => plural(count, 'weitere Organisation', 'weitere Organisationen'),
    sample: 'Zum Beispiel',
  },

  items: {
    title: { ran: 'Einträge', waiting: 'Vorschau' },
    table: { ran: 'Einträge dieses Vorgangs und ihre Ergebnisse', waiting: 'Was dieser Vorgang tun wird' },
    show: 'Anzeigen',
    filters: { all: 'Alle', failed: { ran: 'Fehlgeschlagen', waiting: 'Wird fehlschlagen' } },
    position: 'Nr.',
    outcome: 'Ergebnis',
    what: { ran: 'Grund', waiting: 'Vorher → nachher' },
    succeeded: 'Erfolgreich',
    failed: 'Fehlgeschlagen',
    preview: {
      created: 'Wird angelegt',
      updated: 'Wird geändert',
      rehired: 'Wird wiedereingestellt',
      deleted: 'Wird entfernt',
      erased: 'Wird endgültig gelöscht',
      unchanged: 'Keine Änderung',
      failed: 'Wird fehlschlagen',
    },
    noFailures: 'Keine Fehler',
    none: 'Die Einträge dieses Vorgangs werden nicht mehr aufbewahrt.',
    download: 'Fehler herunterladen',
    downloading: (count) => `${formatNumber(count)} gelesen…`,
    cannotDownload: 'Die Fehler konnten nicht gelesen werden',
    downloadName: (callId) => `fehler-${callId}.csv`,
    columns: ['Position', 'Personalnummer', 'Fehler', 'Grund'],
  },

  upcoming: {
    title: 'Anstehende Änderungen',
    on: (time) => `Am ${time}`,
    onApproved: (time) => `Am ${time}, sofern genehmigt`,
    onceApproved: 'Nach der Genehmigung',
    deactivate: 'deaktivieren',
    reactivate: 'reaktivieren',
    change: 'ändern',
    what: (when, what) => `${when}: ${what}`,
    view: 'Geplanten Vorgang anzeigen',
  },

  awaits: {
    title: 'Wartet auf Genehmigung',
    text: 'Das überschreitet die Sicherheitsgrenze und muss von jemand anderem genehmigt werden. Bisher hat sich nichts geändert.',
    view: 'Vorgang anzeigen',
  },
};
