import type { settingsCopy as english } from '../en/settings.js';
import { formatNumber, formatPercent } from '../format.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const settingsCopy: Translation<typeof english> = {
  title: 'Einstellungen',
  tabs: {
    attributes: 'Attribute',
    clients: 'API-Zugänge',
    applications: 'Anwendungen',
    provisioning: 'Benutzer empfangen (SCIM)',
    targets: 'Benutzer senden (SCIM)',
    webhooks: 'Webhooks',
  },
  systemTabs: {
    status: 'Status',
    limits: 'Grenzwerte',
  },
  test: {
    action: 'Testereignis senden',
    delivered: (name, status, durationMs) =>
      `${name} hat das Testereignis empfangen und nach ${formatNumber(durationMs)} ms mit ${status} geantwortet.`,
    notDelivered: (name) => `${name} hat das Testereignis nicht empfangen`,
    responded: (status) =>
      `Der Empfänger hat mit ${status} geantwortet. Erforderlich ist ein Statuscode von 200 bis 299.`,
    noResponse:
      'Der Empfänger war nicht erreichbar oder hat nicht rechtzeitig geantwortet. Prüfen Sie die URL und den Empfänger.',
    failed: 'Das Testereignis konnte nicht gesendet werden',
  },
  unsent: {
    title: {
      all: 'Nachrichten werden an niemanden gesendet',
      email: 'E-Mails werden an niemanden gesendet',
      sms: 'SMS werden an niemanden gesendet',
    },
    text: {
      all: 'Benutzer erhalten ihre Passwörter erst, wenn Ihre IT den Versand eingerichtet hat. Bis dahin werden Nachrichten nur in Dateien geschrieben, auch wenn ihr Status „Gesendet“ lautet.',
      email:
        'Benutzer mit E-Mail-Adresse erhalten ihre Passwörter erst, wenn Ihre IT den Versand eingerichtet hat. Bis dahin werden E-Mails nur in Dateien geschrieben, auch wenn ihr Status „Gesendet“ lautet.',
      sms: 'Benutzer ohne E-Mail-Adresse erhalten ihre Passwörter erst, wenn Ihre IT den Versand eingerichtet hat. Bis dahin werden SMS nur in Dateien geschrieben, auch wenn ihr Status „Gesendet“ lautet.',
    },
  },
  limits: {
    lead: 'Was in dieser Installation zulässig ist. Ihre IT ändert diese Werte in der Konfiguration des Dienstes.',
    cannotLoad: 'Die Einstellungen konnten nicht geladen werden',
    groups: {
      service: 'Dienst',
      safety: 'Sicherheit bei Sammeländerungen',
      bulk: 'Sammeländerungen und Importe',
      signIn: 'Anmeldung und Passwörter',
      names: 'Personalnummern und Benutzernamen',
      messages: 'Nachrichten',
    },
    // Durations follow these names in the nominative: "3 Tage", not "nach 3 Tagen".
    names: {
      version: 'Version',
      database: 'Datenbank',
      timeZone: 'Zeitzone',
      directories: 'Organisationen und Schlagwörter',
      safetyLimitPercent: 'Sicherheitsgrenze',
      safetyApproval: 'Oberhalb der Sicherheitsgrenze',
      plannedCallExpiryHours: 'Gültigkeit geplanter Änderungen',
      bulkItemsMax: 'Benutzer pro Sammeländerung',
      bulkBodyMaxBytes: 'Größe einer Sammeländerung',
      matchingUsersMax: 'Gleichzeitig per Filter änderbare Benutzer',
      sessionLifetimeSeconds: 'Sitzungsdauer',
      sessionIdleSeconds: 'Abmeldung ohne Benutzung nach',
      initialPassword: 'Erste Passwörter',
      initialPasswordLifetimeHours: 'Gültigkeit erster Passwörter',
      initialPasswordRules: 'Regeln für erste Passwörter',
      signInDelayMaxSeconds: 'Längste Verzögerung nach fehlgeschlagenen Anmeldungen',
      employeeIdQuarantineDays: 'Sperrfrist für Personalnummern',
      usernameQuarantineDays: 'Sperrfrist für Benutzernamen',
      changeNotices: 'Hinweise zu Kontoänderungen',
      bulkChangeNotices: 'Hinweise zu Änderungen durch Importe und Sammeländerungen',
      deliveriesPerMinuteMax: 'Nachrichten pro Minute',
    },
    database: { embedded: 'Eingebettet', postgres: 'PostgreSQL' },
    directories: { open: 'Beliebige IDs zulässig', strict: 'Nur vorhandene IDs zulässig' },
    initialPassword: { message: 'Stehen in der Nachricht', link: 'Werden über einen Link gewählt' },
    passwordRules: { any: 'Beliebiges Passwort', full: 'Wie für selbst gewählte Passwörter' },
    percent: (value) => `${formatPercent(value / 100)} aller Benutzer`,
    refused: 'Bestätigung erforderlich',
    approval: 'Genehmigung erforderlich',
    on: 'Ein',
    off: 'Aus',
    none: 'Keine',
    never: 'Unbegrenzt',
    days: (count) => plural(count, 'Tag', 'Tage'),
    hours: (count) => plural(count, 'Stunde', 'Stunden'),
    minutes: (count) => plural(count, 'Minute', 'Minuten'),
    megabytes: (count) => `${formatNumber(count)} MB`,
  },
};
