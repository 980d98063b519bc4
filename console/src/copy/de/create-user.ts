import type { createUserCopy as english } from '../en/create-user.js';
import type { Translation } from '../translation.js';

export const createUserCopy: Translation<typeof english> = {
  title: 'Benutzer anlegen',
  hint: 'Eine E-Mail-Adresse oder Telefonnummer ist erforderlich, weil das erste Passwort dorthin gesendet wird.',
  create: 'Anlegen',
  createAnother: 'Anlegen und weiteren hinzufügen',
  passwordHint: (email, phone) => {
    const address =
      email !== null ? `per E-Mail an ${email}` : phone !== null ? `per SMS an ${phone}` : undefined;
    const where = address ?? 'per E-Mail oder, falls es keine E-Mail-Adresse gibt, per SMS';
    return `Leer lassen, um ein Passwort zu erzeugen. Es wird ${where} gesendet und muss bei der ersten Anmeldung geändert werden.`;
  },
  activeHint: 'Das Passwort wird sofort gesendet.',
  fileHint:
    'Das Passwort wird nur in eine Datei geschrieben, weil der Dienst noch keine Nachrichten versendet.',
  inactiveHint:
    'Inaktive Benutzer können sich nicht anmelden. Das Passwort wird bei der Aktivierung gesendet.',
  created: (name) => `${name} angelegt.`,
  messageOnItsWay: 'Das Passwort ist unterwegs.',
  messageInFile: 'Das Passwort wurde nur in eine Datei geschrieben.',
  messageWaits: 'Das Passwort wird bei der Aktivierung gesendet.',
  open: 'Benutzer anzeigen',
  rehire: {
    title: 'Ein inaktiver Benutzer hat diese Personalnummer',
    hint: 'Wenn es dieselbe Person ist, stellen Sie sie wieder ein: Der Benutzer wird mit den obigen Daten und einem neuen Passwort reaktiviert und behält seinen Verlauf.',
    action: 'Wiedereinstellen',
    done: (name) => `${name} wiedereingestellt.`,
  },
  quarantine: {
    title: (name) => `${name} wurde vor Kurzem frei`,
    hint: (day) =>
      `Bis ${day} gilt eine Sperrfrist zugunsten des letzten Inhabers. Wird sie nicht benötigt, können Sie sie jetzt beenden.`,
    askAdministrator: (day) =>
      `Bis ${day} gilt eine Sperrfrist zugunsten des letzten Inhabers. Bitten Sie einen Administrator, sie vorzeitig zu beenden.`,
    release: (name) => `Sperrfrist für ${name} beenden`,
    released: (name) => `${name} kann jetzt verwendet werden.`,
    failed: 'Die Sperrfrist konnte nicht beendet werden',
  },
  notCreated: 'Der Benutzer konnte nicht angelegt werden',
  leaving: {
    title: 'Diesen Benutzer verwerfen?',
    hint: 'Der Benutzer wurde noch nicht angelegt.',
    stay: 'Weiter bearbeiten',
    leave: 'Verwerfen',
  },
};
