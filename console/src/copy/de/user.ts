import type { userCopy as english } from '../en/user.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';

export const userCopy: Translation<typeof english> = {
  title: 'Benutzer',
  notLoaded: 'Dieser Benutzer konnte nicht geladen werden',
  notRefreshed: 'Die Angaben konnten nicht aktualisiert werden und sind möglicherweise veraltet.',
  notFound: 'Benutzer nicht gefunden',
  notFoundHint: 'Der Link ist möglicherweise falsch, oder der Benutzer wurde beim Rückgängigmachen entfernt.',
  toUsers: 'Zu den Benutzern',
  details: 'Stammdaten',
  access: 'Zugriff',
  record: 'Datensatz',
  serial: 'Dauerhafte ID',
  back: 'Zurück zu den Benutzern',
  changed: 'geändert',
  was: (value) => `Bisher: ${value}`,
  fieldChange: (field, before, after) => `${field}: ${before} → ${after}`,
  unsaved: (fields) => `Nicht gespeichert: ${fields.join(', ')}`,
  discard: 'Verwerfen',
  saved: (name) => `${name} gespeichert.`,
  notSaved: 'Die Änderungen konnten nicht gespeichert werden',
  openHolder: 'Benutzer anzeigen',
  hints: {
    username: 'Optional. Ohne Benutzernamen erfolgt die Anmeldung mit der Personalnummer.',
    tagSerials: 'Wählen Sie Schlagwörter aus, oder geben Sie ein neues ein und drücken Sie die Eingabetaste.',
  },
  newEmployeeId: {
    matching: (former) =>
      `${former} bleibt vermerkt: Die Suche findet den Benutzer weiterhin darunter, Importe erkennen die Nummer, und im Verlauf lässt sich die Änderung rückgängig machen. Dateien und andere Systeme ordnen Benutzer anhand der Personalnummer zu. Ändern Sie sie auch dort.`,
    signInName:
      'Dieser Benutzer hat keinen Benutzernamen. Die Personalnummer ist deshalb auch der neue Anmeldename.',
    formerly: (employeeID, name, until) =>
      `${employeeID} gehörte bis ${until} ${name}. Prüfen Sie, ob die Nummer neu vergeben werden darf.`,
  },
  emailShared: (name: string) =>
    `${name} hat diese E-Mail-Adresse bereits. Mehrere Benutzer können dieselbe haben.`,
  rules: {
    contactRequired: 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer ein.',
  },
  messageGoesTo: (email, phone) =>
    email === null ? `Es wird per SMS an ${phone} gesendet.` : `Es wird per E-Mail an ${email} gesendet.`,
  leaving: {
    title: 'Änderungen verwerfen?',
    hint: 'Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.',
    stay: 'Weiter bearbeiten',
    leave: 'Änderungen verwerfen',
  },
  editConflict: {
    title: 'Jemand anderes hat diesen Benutzer geändert',
    hint: (at) =>
      `Die anderen Änderungen wurden am ${at} gespeichert. Wählen Sie, welche Werte gelten sollen, und speichern Sie dann.`,
    keepMine: (value) => `Meinen Wert behalten: ${value}`,
    takeTheirs: (value) => `Anderen Wert übernehmen: ${value}`,
    merged: 'Außerdem wurden Felder geändert, die Sie nicht bearbeitet haben:',
    apply: 'Übernehmen',
  },
  isInactive: 'Inaktiv. Kann sich nicht anmelden.',
  reports: {
    lose: (count, name) =>
      count === 1
        ? `1 aktiver Benutzer ist ${name} unterstellt und hat dann keine aktive Führungskraft mehr.`
        : `${formatNumber(count)} aktive Benutzer sind ${name} unterstellt und haben dann keine aktive Führungskraft mehr.`,
    show: (count) => (count === 1 ? 'Diesen Benutzer anzeigen' : 'Diese Benutzer anzeigen'),
  },
  deactivate: {
    action: 'Deaktivieren',
    when: 'Wann',
    now: 'Jetzt',
    later: 'Nach dem letzten Arbeitstag',
    day: 'Letzter Arbeitstag',
    at: (start) => `Inaktiv ab ${start}.`,
    laterHint:
      'Der Benutzer wird dann abgemeldet, kann sich nicht mehr anmelden und verliert seine Rolle. Es werden keine Daten gelöscht. Bis dahin können Sie die Deaktivierung abbrechen, und Sie können den Benutzer später reaktivieren, allerdings ohne die Rolle.',
    plan: 'Deaktivierung planen',
    planned: (name, text) => `${name}: ${text}`,
    already: (text) => `Eine Deaktivierung ist bereits geplant. ${text}`,
    earlier: 'Sie betrifft auch andere Benutzer und bleibt bestehen. Wirksam wird, was zuerst eintritt.',
    replaced: 'Sie wird abgebrochen, sobald Sie bestätigen.',
    cancelIt: 'Geplante Deaktivierung abbrechen',
    cancelled: (name) => `Die geplante Deaktivierung von ${name} wurde abgebrochen.`,
    title: (name) => `${name} deaktivieren?`,
    hint: 'Der Benutzer wird sofort abgemeldet, kann sich nicht mehr anmelden und verliert seine Rolle. Es werden keine Daten gelöscht. Sie können ihn später reaktivieren, allerdings ohne die Rolle.',
    yourself: 'Das ist Ihr eigenes Konto. Sie werden sofort abgemeldet.',
    done: (name) => `${name} deaktiviert.`,
    failed: 'Dieser Benutzer konnte nicht deaktiviert werden',
  },
  reactivate: {
    action: 'Reaktivieren',
    title: (name) => `${name} reaktivieren?`,
    hint: 'Der Benutzer kann sich wieder mit seinem bisherigen Passwort anmelden, hat aber keinen Zugriff auf diese Konsole, bis ein Administrator ihm eine Rolle gibt. Eine Passwortnachricht, die darauf wartet, wird jetzt gesendet. Zurückgehaltene Nachrichten bleiben zurückgehalten, bis sie freigegeben werden.',
    done: (name) => `${name} reaktiviert.`,
    failed: 'Dieser Benutzer konnte nicht reaktiviert werden',
  },
  roles: {
    label: 'Rolle',
    title: (name) => `Rolle von ${name}`,
    hint: 'Eine neue Rolle meldet die Person ab. Außerdem wird ein neues Passwort gesendet, wenn das bisherige von jemand anderem stammt, der es zurückgesetzt oder die Person wieder eingestellt hat.',
    means: {
      none: 'Kein Zugriff auf die Konsole.',
      viewer: 'Kann Benutzer ansehen.',
      operator: 'Kann Benutzer ansehen, anlegen und ändern.',
      administrator: 'Voller Zugriff, auch auf Rollen, Passwörter, API-Zugänge und das Zugriffsprotokoll.',
    },
    former: (role) => `Bei der Deaktivierung entfernte Rolle: ${role}`,
    done: (name, role) => `Rolle von ${name} geändert in: ${role}.`,
    notLoaded: 'Die Rolle konnte nicht geladen werden',
    failed: 'Die Rolle konnte nicht geändert werden',
  },
  resetPassword: {
    action: 'Passwort zurücksetzen',
    title: (name) => `Passwort von ${name} zurücksetzen?`,
    send: 'Neues Passwort senden',
    hint: 'Das aktuelle Passwort wird ungültig, und alle Sitzungen werden beendet. Es wird ein neues Passwort erzeugt, das bei der Anmeldung geändert werden muss.',
    whenActive: 'Dieser Benutzer ist inaktiv. Das Passwort wird gesendet, sobald er reaktiviert wird.',
    noUsername: 'Dieser Benutzer hat keinen Benutzernamen und meldet sich mit der Personalnummer an.',
    done: (name) => `Passwort von ${name} zurückgesetzt.`,
    failed: 'Das Passwort konnte nicht zurückgesetzt werden',
  },
  resetFactors: {
    action: 'Zweite Faktoren zurücksetzen',
    title: (name) => `Zweite Faktoren von ${name} zurücksetzen?`,
    hint: 'Vergewissern Sie sich, dass wirklich diese Person darum bittet. Ihre Passkeys, Authenticator-Apps und Wiederherstellungscodes werden ungültig, und alle ihre Sitzungen werden beendet. Sie wird benachrichtigt, meldet sich mit dem Passwort an und fügt neue hinzu.',
    confirm: 'Zurücksetzen',
    failed: 'Die zweiten Faktoren konnten nicht zurückgesetzt werden',
    done: (name) => `Zweite Faktoren von ${name} zurückgesetzt.`,
    none: (name) => `${name} hatte keinen zweiten Faktor.`,
  },
  personalData: {
    title: 'Personenbezogene Daten',
    export: 'Daten exportieren',
    file: (employeeID) => `personenbezogene-daten-${employeeID}.json`,
    report: 'Lesbarer Bericht',
    saved: (file) => `Gespeichert als ${file}.`,
    exportFailed: 'Die Daten konnten nicht exportiert werden',
    erase: 'Endgültig löschen…',
    eraseTitle: (name) => `${name} endgültig löschen?`,
    consequences: [
      {
        what: 'Gelöscht wird',
        text: 'alles Personenbezogene: das Profil mit der Anmeldung sowie die Werte im Verlauf, in Nachrichten und in den Ergebnissen von Importen.',
      },
      {
        what: 'Erhalten bleibt',
        text: 'dass es einen Benutzer gab und wer ihn wann geändert hat, ohne die Werte. Sicherungen und Dateien außerhalb von Rollcall behalten, was darin steht.',
      },
      {
        what: 'Endgültig',
        text: 'Das lässt sich nicht rückgängig machen: Rollcall behält keine Kopie, auch ein Administrator kann den Benutzer nicht wiederherstellen.',
      },
    ],
    alternative:
      'Um nur den Zugriff zu beenden und die Daten zu behalten, deaktivieren Sie den Benutzer stattdessen.',
    typeId: (employeeID) => `Geben Sie zur Bestätigung die Personalnummer ${employeeID} ein`,
    confirm: 'Endgültig löschen',
    erased: (employeeID) => `Benutzer ${employeeID} endgültig gelöscht.`,
    eraseFailed: 'Der Benutzer konnte nicht gelöscht werden',
  },
  employeeIds: {
    title: 'Personalnummern',
    open: (employeeID) => `Verlauf von ${employeeID} anzeigen`,
    period: (since, until) => {
      if (until === undefined) return `seit ${since}`;
      return since === until ? `am ${since}` : `${since} – ${until}`;
    },
    historyOf: (employeeID) => `Verlauf von ${employeeID}`,
    free: 'Derzeit hat niemand diese Personalnummer.',
    user: 'Benutzer',
    since: 'Von',
    until: 'Bis',
    now: 'Jetzt',
    next: (newEmployeeID) => (newEmployeeID === null ? 'Benutzer entfernt' : `Geändert in ${newEmployeeID}`),
    unnamed: 'Benutzer anzeigen',
    notLoaded: 'Die Personalnummern konnten nicht geladen werden',
  },
};
