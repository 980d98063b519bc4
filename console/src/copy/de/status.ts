import type { statusCopy as english } from '../en/status.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const statusCopy: Translation<typeof english> = {
  lead: 'Zustand des Dienstes auf allen Knoten. Wird alle paar Sekunden aktualisiert.',
  cannotLoad: 'Der Status konnte nicht geladen werden',
  attention: {
    title: 'Zu beachten',
    nothing: 'Alles läuft, wie es soll.',
    show: 'Anzeigen',
    kinds: {
      nodeSilent: (count) => `${plural(count, 'Knoten', 'Knoten')} seit mehr als einer Minute nicht gesehen`,
      versionsDiffer: (count) => `Auf den Knoten laufen ${formatNumber(count)} verschiedene Versionen`,
      migrationsPending: (count) =>
        `${plural(count, 'Datenbankmigration', 'Datenbankmigrationen')} ausstehend`,
      indexBuilding: () => 'Der Suchindex wird neu aufgebaut',
      indexingBehind: (count) => `${plural(count, 'Änderung', 'Änderungen')} noch nicht indiziert`,
      messagesParked: (count) => `${plural(count, 'Nachricht', 'Nachrichten')} nicht zustellbar`,
      messagesDelayed: (count) =>
        `${plural(count, 'Nachricht', 'Nachrichten')} wartend, teils seit über 5 Minuten`,
      webhooksDisabled: (count) =>
        `${plural(count, 'Webhook', 'Webhooks')} nach zu langer Störung deaktiviert`,
      webhooksFailing: (count) => `${plural(count, 'Webhook', 'Webhooks')} gestört`,
      scimTargetsStopped: (count) =>
        `${plural(count, 'verbundener Dienst', 'verbundene Dienste')} nach zu langer Störung angehalten`,
      scimTargetsFailing: (count) => `${plural(count, 'verbundener Dienst', 'verbundene Dienste')} gestört`,
      callsDelayed: (count) =>
        `${plural(count, 'geplante Änderung', 'geplante Änderungen')} ausstehend, teils überfällig`,
      callsNeedTakeover: (count) =>
        `${plural(count, 'geplante Änderung', 'geplante Änderungen')} zu übernehmen`,
      callsNeedApproval: (count) => `${plural(count, 'Änderung', 'Änderungen')} zu genehmigen`,
      feedsWaiting: (count) => `${plural(count, 'Feed wartet', 'Feeds warten')} auf Genehmigung`,
      feedsFailed: (count) => `${plural(count, 'Feed', 'Feeds')} fehlgeschlagen oder angehalten`,
      feedsDelayed: () => 'Ein Feed ist verspätet',
      noBackup: () => 'Noch keine Sicherung',
      backupOld: () => 'Die letzte Sicherung ist mehr als zwei Tage alt',
    },
    hints: {
      nodeSilent: 'Prüfen Sie, ob er noch läuft und die Datenbank erreicht.',
      versionsDiffer: 'Während eines Upgrades ist das normal. Aktualisieren Sie sonst die übrigen Knoten.',
      migrationsPending: 'Führen Sie „rollcall migrate“ dort aus, wo der Dienst betrieben wird.',
      indexBuilding: 'Die Suche funktioniert wieder, sobald er vollständig ist.',
      indexingBehind:
        'Bis dahin ist die Suche langsamer. Prüfen Sie das Protokoll, falls die Anzahl weiter wächst.',
      noBackup: 'Richten Sie regelmäßige Sicherungen dort ein, wo der Dienst betrieben wird.',
      backupOld: 'Prüfen Sie die Sicherungen dort, wo der Dienst betrieben wird.',
    },
  },
  nodes: {
    title: 'Knoten',
    node: 'Knoten',
    version: 'Version',
    processes: 'Prozesse',
    started: 'Gestartet',
    lastSeen: 'Zuletzt gesehen',
    state: 'Status',
    alive: 'Läuft',
    silent: 'Nicht gesehen',
  },
  database: {
    title: 'Datenbank',
    engine: 'Art',
    engines: { embedded: 'Eingebettet', postgres: 'PostgreSQL' },
    size: 'Größe',
    migrations: 'Schemaversion',
  },
  messages: {
    title: 'Nachrichten',
    waiting: 'Wartend',
    held: 'Zurückgehalten',
    dormant: 'Für inaktive Benutzer',
    parked: 'Fehlgeschlagen',
    oldest: 'Längste Wartezeit',
  },
  webhooks: {
    title: 'Webhooks',
    active: 'Aktiv',
    failing: 'Gestört',
    disabled: 'Automatisch deaktiviert',
    paused: 'Gesperrt',
    oldest: 'Ältestes nicht zugestelltes Ereignis',
  },
  targets: {
    title: 'Verbundene Dienste (SCIM)',
    active: 'Aktiv',
    failing: 'Gestört',
    stopped: 'Automatisch angehalten',
    paused: 'Angehalten',
    queued: 'Zu übertragen',
    failed: 'Fehlgeschlagen',
  },
  calls: {
    title: 'Geplante Änderungen',
    planned: 'Geplant',
    awaitingApproval: 'Zu genehmigen',
    awaitingTakeover: 'Zu übernehmen',
    running: 'Laufend',
  },
  feeds: {
    title: 'Feeds',
    waiting: 'Warten auf Genehmigung',
    failed: 'Fehlgeschlagen oder angehalten',
    running: 'Laufen',
    paused: 'Pausiert',
    idle: 'Ruhen',
  },
  indexing: {
    title: 'Listen und Suche',
    behind: 'Noch nicht indizierte Änderungen',
    oldest: 'Älteste davon',
    building: 'Suchindex',
    isBuilding: 'Wird neu aufgebaut',
    isComplete: 'Vollständig',
  },
  backup: {
    title: 'Letzte Sicherung',
    none: 'Noch keine Sicherung',
    finished: 'Abgeschlossen',
    file: 'Datei',
    size: 'Größe',
    users: 'Benutzer',
    encrypted: 'Verschlüsselt',
    yes: 'Ja',
    no: 'Nein',
  },
  nothingWaits: 'Keine',
};
