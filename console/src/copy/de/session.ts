import type { sessionCopy as english } from '../en/session.js';
import type { Translation } from '../translation.js';

const roles: Readonly<Record<string, string>> = {
  viewer: 'Betrachter',
  operator: 'Bearbeiter',
  administrator: 'Administrator',
};

export const sessionCopy: Translation<typeof english> = {
  title: 'Bei Rollcall anmelden',
  signInName: 'Benutzername oder Personalnummer',
  password: 'Passwort',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  forgotPassword: 'Passwort vergessen?',
  continueWith: (name: string | null) => `Weiter mit ${name ?? 'Ihrem Firmenkonto'}`,
  windowBlocked:
    'Ihr Browser hat das Fenster blockiert. Erlauben Sie Pop-ups für diese Seite, und versuchen Sie es noch einmal.',
  or: 'oder',
  orAdministrators: 'oder, für Administratoren',
  signedInWith: (name: string | null) => `Sie haben sich mit ${name ?? 'Ihrem Firmenkonto'} angemeldet.`,
  proveWithProviderHint:
    'Dafür müssen Sie sich noch einmal anmelden, in einem neuen Fenster. Ihre Eingaben gehen nicht verloren.',
  provenTitle: 'Bestätigt',
  provenHint: 'Sie können dieses Fenster schließen und weitermachen, wo Sie waren.',
  closeWindow: 'Fenster schließen',
  forgotten: 'Passwort vergessen? Bitten Sie einen Administrator, es zurückzusetzen.',
  endedTitle: 'Ihre Sitzung wurde beendet',
  endedHint: 'Melden Sie sich erneut an, um fortzufahren. Ihre Eingaben sind nicht verloren.',
  leave: 'Änderungen verwerfen und abmelden',
  mustChangeTitle: 'Neues Passwort wählen',
  mustChangeHint: 'Ersetzen Sie das zugesandte Passwort durch ein eigenes.',
  changePassword: 'Passwort ändern',
  currentPassword: 'Aktuelles Passwort',
  receivedPassword: 'Passwort, das Sie erhalten haben',
  setPassword: 'Passwort festlegen',
  passwordChosen: 'Ihr Passwort ist festgelegt.',
  newPassword: 'Neues Passwort',
  newPasswordAgain: 'Neues Passwort wiederholen',
  passwordsDiffer: 'Die Passwörter stimmen nicht überein.',
  passwordChanged: 'Passwort geändert. Alle Ihre anderen Sitzungen wurden beendet.',
  noRole: 'Das ist Ihr Konto: wie Sie sich anmelden und was Ihr Unternehmen über Sie gespeichert hat.',
  notSignedIn: 'Anmeldung nicht möglich',
  currentWrong: 'Das Passwort ist falsch.',
  proveTitle: 'Bestätigen Sie, dass Sie es sind',
  proveHint: 'Für diesen Schritt brauchen wir noch einmal Ihr Passwort. Ihre Eingaben sind nicht verloren.',
  prove: 'Bestätigen',
  notProven: 'Nicht bestätigt',
  usePasskey: 'Passkey verwenden',
  passkeyFailed: 'Der Passkey konnte nicht verwendet werden',
  secondStepTitle: 'Zweiter Schritt',
  enrolTitle: 'Zweiten Schritt einrichten',
  proveCode: 'Code Ihrer Authenticator-App oder ein Wiederherstellungscode',
  insecureTitle: 'Diese Seite braucht eine sichere Verbindung',
  insecureHint:
    'Ihr Browser meldet Sie nur über HTTPS an. Öffnen Sie Rollcall unter der Adresse, die mit https:// beginnt, oder fragen Sie Ihre IT danach.',
  notChanged: 'Das Passwort konnte nicht geändert werden',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  newPasswordHint:
    'Mindestens 8 Zeichen. Verwenden Sie kein verbreitetes Passwort und keines, das auf Ihrem Benutzernamen, Ihrer Personalnummer, Ihrer E-Mail-Adresse, Ihrem Unternehmen oder diesem Produkt beruht.',
  signedInAs: (name, signInName, role) => `Angemeldet als ${name} (${signInName}). Rolle: ${role}.`,
  role: (role) => roles[role ?? ''] ?? 'Keine Rolle',
  languageLater: (language) =>
    `Ihr Import bleibt geöffnet. Sobald Sie die Seite neu laden, gilt die Sprache ${language}.`,
};
