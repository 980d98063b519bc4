import type { noticesCopy as english } from '../en/notices.js';
import type { Translation } from '../translation.js';

export const noticesCopy: Translation<typeof english> = {
  title: 'Hinweise',
  lead: (email) => `Rollcall sendet diese E-Mails an ${email}.`,
  noEmail:
    'Sie haben keine E-Mail-Adresse und erhalten deshalb keine Hinweise. Bitten Sie einen Administrator, eine einzutragen.',
  topics: {
    feedFailed: 'Ein Feed ist fehlgeschlagen.',
    feedStopped: 'Ein Feed wurde angehalten und wartet auf Genehmigung.',
    feedDigest: 'Einmal am Tag eine Zusammenfassung dessen, was die Feeds getan haben.',
    callApproval: 'Eine Sammeländerung, die jemand anderes geplant hat, wartet auf Genehmigung.',
    callDecided: 'Jemand hat eine Sammeländerung, die Sie geplant haben, genehmigt oder abgelehnt.',
    webhookDisabled: 'Ein Webhook wurde deaktiviert, weil sein Empfänger dauerhaft gestört war.',
    scimTargetFailing:
      'An einen verbundenen Dienst können keine Benutzer gesendet werden, oder er wurde deshalb angehalten.',
    scimDeactivationLimit: 'Ein Identitätsanbieter hat seine Grenze für Deaktivierungen erreicht.',
    backupFailed: 'Eine geplante Sicherung ist fehlgeschlagen.',
  },
  cannotLoad: 'Ihre Hinweise konnten nicht geladen werden',
  notChanged: 'Ihre Hinweise konnten nicht geändert werden',
};
