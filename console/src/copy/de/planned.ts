import type { plannedCopy as english } from '../en/planned.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const plannedCopy: Translation<typeof english> = {
  toDecide: (count) =>
    `${plural(count, 'Änderung', 'Änderungen')} ${choose(count, 'wartet', 'warten')} auf Ihre Genehmigung.`,
  ofOthers: (count) =>
    `${plural(count, 'Änderung muss', 'Änderungen müssen')} von jemand anderem genehmigt werden.`,
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

  isPlanned: (time) => `Diese Änderung wird am ${time} ausgeführt. Bisher hat sich nichts geändert.`,
  isDue: 'Diese Änderung wird gleich ausgeführt. Bisher hat sich nichts geändert.',
  awaitsApproval: 'Diese Änderung wartet auf Genehmigung. Bisher hat sich nichts geändert.',
  awaitsApprovalUntil: (time) =>
    `Diese Änderung wartet auf Genehmigung und wird am ${time} ausgeführt. Bisher hat sich nichts geändert.`,
  ownCall: 'Sie haben diese Änderung geplant oder übernommen, deshalb muss sie jemand anderes genehmigen.',
  takeoverNeeded:
    'Wer diese Änderung geplant hat, ist dazu nicht mehr berechtigt, der API-Zugang wurde deaktiviert oder sein Secret ersetzt, oder nach dem geplanten Zeitpunkt wurde eine Sicherung wiederhergestellt. Sie wird nur ausgeführt, wenn jemand sie übernimmt.',
  wasCancelled: 'Diese Änderung wurde abgebrochen. Sie hat nichts geändert.',
  hasExpired:
    'Diese Änderung konnte nicht rechtzeitig ausgeführt werden und ist verfallen. Sie hat nichts geändert.',

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
    title: 'Diese Änderung genehmigen?',
    upTo: (items) => `Ändert bis zu ${users(items)}.`,
    now: 'Sie wird sofort ausgeführt, wie in der Vorschau gezeigt.',
    later: (time) => `Sie wird am ${time} ausgeführt, wie in der Vorschau gezeigt.`,
    confirm: 'Genehmigen',
    done: 'Änderung genehmigt.',
    failed: 'Diese Änderung konnte nicht genehmigt werden',
  },
  reject: {
    open: 'Ablehnen…',
    title: 'Diese Änderung ablehnen?',
    hint: 'Sie wird nicht ausgeführt, und nichts ändert sich. Wer sie angefordert hat, muss sie neu planen.',
    confirm: 'Ablehnen',
    done: 'Änderung abgelehnt.',
    failed: 'Diese Änderung konnte nicht abgelehnt werden',
  },
  cancel: {
    keep: 'Nicht abbrechen',
    open: 'Änderung abbrechen…',
    title: 'Diese Änderung abbrechen?',
    hint: 'Sie wird nicht ausgeführt, und nichts ändert sich.',
    confirm: 'Änderung abbrechen',
    done: 'Änderung abgebrochen.',
    failed: 'Diese Änderung konnte nicht abgebrochen werden',
  },
  takeOver: {
    open: 'Übernehmen…',
    title: 'Diese Änderung übernehmen?',
    hint: 'Sie läuft dann in Ihrem Namen: mit Ihren Berechtigungen, und im Verlauf stehen die Änderungen unter Ihrem Namen. Passwörter, die darin angegeben sind, werden durch neu erzeugte ersetzt.',
    approval: 'Danach muss sie jemand anderes genehmigen.',
    confirm: 'Übernehmen',
    done: 'Änderung übernommen.',
    failed: 'Diese Änderung konnte nicht übernommen werden',
  },

  scope: {
    title: 'Wen es betrifft',
    filter: 'Ausgewählt mit diesem Filter',
    byHand: (count) => `${users(count)} einzeln ausgewählt`,
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
    table: { ran: 'Zeilen dieser Änderung und ihre Ergebnisse', waiting: 'Was diese Änderung tun wird' },
    show: 'Anzeigen',
    filters: { all: 'Alle', failed: { ran: 'Fehlgeschlagen', waiting: 'Wird fehlschlagen' } },
    position: 'Nr.',
    outcome: 'Ergebnis',
    what: { ran: 'Vorher → nachher', waiting: 'Vorher → nachher' },
    did: {
      deactivated: 'Deaktiviert',
      reactivated: 'Reaktiviert',
      changed: (fields) => `${fields} geändert`,
    },
    showDetails: 'Anzeigen',
    hideDetails: 'Ausblenden',
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
    none: 'Die Zeilen dieser Änderung werden nicht mehr aufbewahrt.',
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
    view: 'Geplante Änderung anzeigen',
  },

  awaits: {
    title: 'Wartet auf Genehmigung',
    text: 'Das überschreitet die Sicherheitsgrenze und muss von jemand anderem genehmigt werden. Bisher hat sich nichts geändert.',
    view: 'Änderung anzeigen',
  },
};
