import type { clientsCopy as english } from '../en/clients.js';
import type { Translation } from '../translation.js';

export const clientsCopy: Translation<typeof english> = {
  lead: 'Zugänge für Programme, zum Beispiel für einen nächtlichen Abgleich.',
  empty: 'Noch keine API-Zugänge',
  emptyHint: 'Legen Sie für jedes Programm, das auf Rollcall zugreifen soll, einen eigenen API-Zugang an.',
  create: 'API-Zugang anlegen',
  editTitle: (name) => `${name} bearbeiten`,
  name: 'Name',
  nameHint: 'Wofür dieser API-Zugang da ist.',
  scopes: 'Berechtigungen',
  scopesRequired: 'Wählen Sie mindestens eine.',
  allDisabled: 'Alle API-Zugänge sind deaktiviert',
  showDisabled: (count) => `Deaktivierte anzeigen (${count})`,
  data: 'Gesendete Daten',
  ignoresUnknown: 'Unbekannte Felder in Sammeländerungen ignorieren',
  ignoresUnknownHint:
    'Für ein System, das mehr Felder sendet, als definiert sind. Sonst werden solche Einträge abgelehnt.',
  id: 'Client-ID',
  created: 'Angelegt',
  lastUsed: 'Zuletzt verwendet',
  neverUsed: 'Noch nie',
  secrets: 'Secrets',
  isActive: 'Freigeschaltet',
  isDisabled: 'Gesperrt',
  edit: 'Bearbeiten',
  rotate: 'Secret erneuern',
  disable: 'Deaktivieren',
  enable: 'Aktivieren',
  disableTitle: (name) => `${name} deaktivieren?`,
  disableText:
    'Programme verlieren damit innerhalb von Sekunden den Zugriff auf Rollcall. Sie können den API-Zugang später wieder aktivieren. Gelöscht wird er nicht, weil sich Verlauf und Zugriffsprotokoll auf ihn beziehen.',
  enableTitle: (name) => `${name} aktivieren?`,
  enableText: 'Seine Secrets gelten wieder. Früher ausgestellte Tokens bleiben ungültig.',
  rotateImmediately: 'Sofort, und alle Token widerrufen',
  saved: 'API-Zugang gespeichert.',
  wasDisabled: (name) => `${name} deaktiviert.`,
  wasEnabled: (name) => `${name} aktiviert.`,
  failed: 'Der API-Zugang konnte nicht gespeichert werden',

  secret: {
    title: 'Kopieren Sie dieses Secret jetzt',
    warning:
      'Es kann später nicht mehr angezeigt werden. Bewahren Sie es sicher auf, bevor Sie dieses Fenster schließen.',
    secret: 'Secret',
    clientId: 'Client-ID',
    done: 'Fertig',
  },
  rotation: {
    title: (name) => `Secret von ${name} erneuern`,
    text: 'Das neue Secret gilt sofort. Wählen Sie, wie lange das bisherige noch gültig bleibt.',
    overlap: 'Bisheriges Secret verfällt',
    choices: {
      0: 'Sofort',
      3600: 'In 1 Stunde',
      86400: 'In 1 Tag',
      604800: 'In 7 Tagen',
      2592000: 'In 30 Tagen',
    },
    confirm: 'Secret erneuern',
    failed: 'Das Secret konnte nicht erneuert werden',
  },
  secretDates: {
    created: (time) => `erstellt ${time}`,
    expires: (created, expires) => `erstellt ${created}, verfällt ${expires}`,
    none: 'Kein gültiges Secret',
  },
  scopeHints: {
    'users:read': 'Sieht alle Benutzer mit ihren Angaben, Organisationen und Tags.',
    'users:write': 'Auch importieren, deaktivieren und rückgängig machen. Rollen vergeben kann es nicht.',
    'access:admin':
      'Macht dieses Programm zum Administrator: Es kann sich und anderen jede Berechtigung geben und jedes Passwort zurücksetzen.',
    'audit:read': 'Liest, wer was geändert und wer sich angemeldet hat.',
    'attributes:sensitive':
      'Ohne diese Berechtigung bleiben vertrauliche Attribute für das Programm verborgen.',
    scim: 'Für einen Identitätsanbieter wie Okta oder Microsoft Entra ID.',
  },
  isAdministrator: 'Administrator',
};
