import type { sessionsCopy as english } from '../en/sessions.js';
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
};
