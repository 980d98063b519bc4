import type { changesCopy as english } from '../en/changes.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const changesCopy: Translation<typeof english> = {
  title: 'Änderungen',
  lead: 'Alle Änderungen an Benutzern, neueste zuerst. Neue Änderungen erscheinen sofort.',
  feed: 'Änderungen, neueste zuerst',
  empty: 'Noch keine Änderungen',
  new: (count, isMore) =>
    isMore
      ? `Mehr als ${formatNumber(count)} neue Änderungen`
      : plural(count, 'neue Änderung', 'neue Änderungen'),
  live: 'Live',
  liveHint: 'Neue Änderungen erscheinen innerhalb einer Sekunde.',
  reconnecting: 'Wird neu verbunden…',
  reconnectingHint: 'Die Verbindung wurde unterbrochen. Es gehen keine Änderungen verloren.',
  filters: {
    who: 'Geändert von',
    anyone: 'Alle',
    user: 'Benutzer',
    anyUser: 'Alle Benutzer',
    kind: 'Art',
    field: 'Feld',
    from: 'Von',
    until: 'Bis',
    any: 'Alle',
    call: 'Nur Änderungen aus:',
    search: 'Name oder Personalnummer eingeben',
    nobody: 'Keine Treffer',
    clients: 'API-Zugänge',
    users: 'Benutzer',
  },
  bulkCall: 'Sammelvorgang',
  erasedUser: 'Endgültig gelöschter Benutzer',
};
