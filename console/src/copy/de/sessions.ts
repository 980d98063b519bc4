import type { sessionsCopy as english } from '../en/sessions.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';

export const sessionsCopy: Translation<typeof english> = {
  title: 'Wo Sie angemeldet sind',
  table: 'Sitzungen, neueste zuerst',
  lead: 'Wenn Sie eine Sitzung nicht kennen, beenden Sie sie und ändern Sie Ihr Passwort.',
  device: 'Gerät',
  unknownDevice: 'Unbekanntes Gerät',
  address: 'IP-Adresse',
  signedIn: 'Angemeldet',
  lastSeen: 'Zuletzt benutzt',
  actions: 'Aktionen',
  current: 'Diese Sitzung',
  end: 'Beenden',
  endOf: (device) => `Sitzung beenden: ${device}`,
  endOthers: 'Alle anderen Sitzungen beenden',
  ended: 'Sitzung beendet.',
  allEnded: 'Alle anderen Sitzungen wurden beendet.',
  notEnded: 'Die Sitzung wurde nicht beendet',
  all: {
    lead: 'Alle, die im Moment angemeldet sind.',
    user: 'Benutzer',
    onlyUser: 'Gefiltert nach Benutzer:',
    method: 'Angemeldet mit',
    methods: { password: 'Passwort', passkey: 'Passkey', provider: 'Single Sign-on' },
    empty: 'Niemand ist angemeldet',
    emptyOfUser: 'Dieser Benutzer ist nicht angemeldet',
    endOfUser: 'Alle Sitzungen dieses Benutzers beenden',
    endEverybody: 'Alle abmelden',
    confirmTitle: 'Alle abmelden?',
    confirmText:
      'Alle außer Ihnen müssen sich neu anmelden. Ungespeicherte Eingaben in deren Browsern bleiben erhalten. API-Zugänge arbeiten weiter.',
    done: (count) => (count === 1 ? '1 Sitzung beendet.' : `${formatNumber(count)} Sitzungen beendet.`),
    open: 'Sitzungen',
  },
};
