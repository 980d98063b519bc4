import type { errorsCopy as english, outageCopy as englishOutage } from '../en/errors.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';

const reload =
  'Diese Seite und der Dienst haben einander nicht verstanden. Laden Sie die Seite neu, und versuchen Sie es noch einmal.';
const signInAgain = 'Melden Sie sich erneut an, um fortzufahren.';
const alphanumeric = (max: number) =>
  `Verwenden Sie nur Buchstaben von a bis z und Ziffern, höchstens ${formatNumber(max)}.`;
const singleLine = (max: number) =>
  `Geben Sie höchstens ${formatNumber(max)} Zeichen ein, ohne Zeilenumbrüche und unsichtbare Steuerzeichen.`;
const listed = new Intl.ListFormat('de', { type: 'conjunction' });

export const errorsCopy: Translation<typeof english> = {
  unknown:
    'Etwas Unerwartetes ist geschehen. Laden Sie die Seite neu, und versuchen Sie es noch einmal. Wenn es wieder geschieht, informieren Sie Ihren Administrator.',
  unexpectedReply:
    'Die Antwort kam nicht von Rollcall, sondern von etwas dazwischen, zum Beispiel einem Proxy. Versuchen Sie es gleich noch einmal.',
  codes: {
    REQUEST_MALFORMED: reload,
    REQUEST_BODY_NOT_JSON: reload,
    REQUEST_BODY_TOO_DEEP: reload,
    REQUEST_BODY_INVALID:
      'Eine Ihrer Eingaben wurde nicht angenommen. Prüfen Sie sie, und versuchen Sie es noch einmal.',
    REQUEST_PARAMETER_INVALID:
      'Ein Filter oder eine Einstellung ist ungültig. Setzen Sie die Filter zurück, und versuchen Sie es noch einmal.',
    REQUEST_CURSOR_INVALID: 'Die Liste hat sich geändert. Laden Sie die Seite neu.',
    REQUEST_PATH_NOT_FOUND:
      'Der Dienst kennt die Anfrage dieser Seite nicht. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
    REQUEST_METHOD_NOT_ALLOWED: reload,
    REQUEST_NOT_ACCEPTABLE: reload,
    REQUEST_TIMEOUT: 'Ihre Verbindung war zu langsam. Versuchen Sie es noch einmal.',
    REQUEST_PRECONDITION_FAILED:
      'Jemand anderes hat diesen Benutzer inzwischen geändert. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
    REQUEST_BODY_TOO_LARGE: 'Das ist zu viel für eine Anfrage. Senden Sie weniger auf einmal.',
    REQUEST_TOO_MANY_ITEMS: 'Das sind zu viele Zeilen für eine Anfrage. Senden Sie weniger auf einmal.',
    REQUEST_MEDIA_TYPE_UNSUPPORTED: reload,
    REQUEST_RATE_LIMITED:
      'Innerhalb einer Minute gab es zu viele Anfragen. Warten Sie einen Moment, und versuchen Sie es dann noch einmal.',
    REQUEST_HEADERS_TOO_LARGE: reload,
    USER_EMPLOYEE_ID_EXISTS: 'Diese Personalnummer ist bereits vergeben.',
    USER_NOT_FOUND: 'Diesen Benutzer gibt es nicht mehr.',
    USER_USERNAME_EXISTS: 'Dieser Benutzername ist bereits vergeben.',
    USER_CONTACT_REQUIRED: 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer ein.',
    USER_NOT_AN_OBJECT: 'Diese Zeile konnte nicht gelesen werden.',
    USER_FIELD_REQUIRED: 'Ein Pflichtfeld ist leer.',
    USER_FIELD_INVALID: 'Ein Feld enthält einen unzulässigen Wert.',
    USER_FIELD_NOT_ACCEPTED: 'Ein Feld kann hier nicht gesetzt werden.',
    USER_LAST_ADMINISTRATOR:
      'Dies ist der einzige aktive Administrator mit einem Benutzernamen. Geben Sie zuerst einem anderen Administrator einen Benutzernamen, oder machen Sie jemand anderen zum Administrator.',
    USER_CHANGED_SINCE:
      'Dieser Benutzer wurde seitdem geändert, entfernt oder verwendet und blieb deshalb unverändert.',
    USER_PROTECTED:
      'Dieser Benutzer hat eine Rolle. Nur ein Administrator kann seinen Benutzernamen und seine Kontaktdaten ändern oder ihn reaktivieren.',
    USER_ERASED: 'Die personenbezogenen Daten dieses Benutzers wurden endgültig gelöscht.',
    USER_ATTRIBUTE_EXISTS: 'Ein anderer Benutzer hat diesen Wert.',
    USER_MANAGER_NOT_FOUND: 'Niemand hat die Personalnummer dieser Führungskraft.',
    USER_MANAGER_CYCLE: 'Damit wäre jemand, direkt oder über andere, die eigene Führungskraft.',
    ACCESS_TOKEN_REQUIRED: signInAgain,
    ACCESS_TOKEN_INVALID: signInAgain,
    ACCESS_SCOPE_MISSING: 'Dazu fehlt Ihnen die Berechtigung. Wenden Sie sich an einen Administrator.',
    ACCESS_CLIENT_INVALID: signInAgain,
    ACCESS_GRANT_UNSUPPORTED: reload,
    ACCESS_SCOPE_INVALID: reload,
    ACCESS_TOKEN_REQUEST_INVALID: reload,
    ACCESS_SIGN_IN_FAILED:
      'Benutzername, Personalnummer oder Passwort ist falsch, oder dieser Benutzer darf sich nicht anmelden. Prüfen Sie Ihre Eingaben.',
    ACCESS_SIGN_IN_DELAYED:
      'Es gab zu viele fehlgeschlagene Versuche. Warten Sie einen Moment, und versuchen Sie es dann noch einmal.',
    ACCESS_PASSWORD_EXPIRED:
      'Ihr erstes Passwort ist abgelaufen. Bitten Sie einen Administrator, Ihnen ein neues zu senden.',
    ACCESS_PASSWORD_CHANGE_REQUIRED: 'Wählen Sie zuerst ein neues Passwort.',
    ACCESS_PASSWORD_REFUSED: 'Dieses Passwort ist nicht zulässig. Wählen Sie ein anderes.',
    ACCESS_PASSWORD_WRONG: 'Das aktuelle Passwort ist falsch.',
    ACCESS_USER_REQUIRED: 'Das können nur angemeldete Benutzer tun.',
    ACCESS_CLIENT_NOT_FOUND: 'Diesen API-Zugang gibt es nicht mehr. Laden Sie die Seite neu.',
    ACCESS_DELIVERY_NOT_FOUND: 'Diese Nachricht gibt es nicht mehr. Laden Sie die Seite neu.',
    ACCESS_DELIVERY_SUPERSEDED:
      'Diese Nachricht wird nicht mehr benötigt: Eine neuere hat sie ersetzt, oder der Benutzer hat bereits ein Passwort gewählt.',
    ACCESS_CLIENT_TOKEN_NOT_FOUND: 'Dieses Token gibt es nicht mehr. Laden Sie die Seite neu.',
    ACCESS_CLIENT_TOKEN_TOO_MANY:
      'Dieser API-Zugang hat die größtmögliche Zahl von Tokens. Widerrufen Sie eines, das nicht mehr verwendet wird.',
    ACCESS_CLIENT_NOT_A_PROVIDER:
      'Dieser API-Zugang darf keine Benutzer über SCIM anlegen und ändern. Fügen Sie die Berechtigung zuerst auf der Seite „API-Zugänge“ hinzu.',
    ACCESS_TOKEN_OF_ANOTHER_CLIENT: reload,
    ACCESS_TOKEN_TYPE_UNSUPPORTED: reload,
    ACCESS_SESSION_NOT_FOUND: 'Diese Sitzung ist schon beendet. Laden Sie die Seite neu.',
    ACCESS_PROOF_REQUIRED: 'Bestätigen Sie, dass Sie es sind, und versuchen Sie es dann noch einmal.',
    ACCESS_ORIGIN_REFUSED: reload,
    ACCESS_FACTOR_REQUIRED: 'Ein Passwort allein genügt nicht. Melden Sie sich mit Ihrem zweiten Faktor an.',
    ACCESS_FACTOR_CODE_WRONG:
      'Der Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten, oder verwenden Sie einen anderen Wiederherstellungscode.',
    ACCESS_PASSKEY_REFUSED:
      'Der Passkey wurde nicht akzeptiert. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    ACCESS_PASSKEYS_UNAVAILABLE:
      'Unter dieser Adresse funktionieren Passkeys nicht. Öffnen Sie Rollcall unter der üblichen Adresse.',
    ACCESS_PASSKEY_EXISTS: 'Dieser Passkey wurde bereits hinzugefügt.',
    ACCESS_FACTOR_NOT_FOUND: 'Diesen zweiten Faktor gibt es nicht mehr. Laden Sie die Seite neu.',
    ACCESS_FACTOR_TOO_MANY:
      'Mehr zweite Faktoren sind nicht möglich. Entfernen Sie einen, den Sie nicht mehr verwenden.',
    ACCESS_FACTOR_LAST:
      'Ihr Unternehmen verlangt einen zweiten Faktor. Fügen Sie einen weiteren hinzu, bevor Sie diesen entfernen.',
    APPLICATION_NOT_FOUND: 'Diese Anwendung gibt es nicht mehr. Laden Sie die Seite neu.',
    APPLICATION_NAME_EXISTS:
      'Eine andere Anwendung hat bereits diesen Namen. Wählen Sie einen, den Benutzer davon unterscheiden können.',
    APPLICATION_WITHOUT_SECRET:
      'Diese Anwendung hat kein Geheimnis, weil sie im Browser oder auf einem Gerät läuft.',
    APPLICATION_SIGN_IN_NOT_FOUND:
      'Diese Anmeldung ist abgelaufen. Gehen Sie zurück zur Anwendung und melden Sie sich erneut an.',
    ACCESS_FIELD_NOT_EDITABLE:
      'Dieses Feld pflegt Ihr Unternehmen. Bitten Sie einen Administrator, es zu ändern.',
    ACCESS_SSO_NOT_CONFIGURED:
      'Single Sign-on ist nicht eingerichtet. Melden Sie sich mit Ihrem Passwort an.',
    ACCESS_SSO_UNAVAILABLE:
      'Die Anmeldung Ihres Unternehmens antwortet gerade nicht. Versuchen Sie es gleich noch einmal.',
    ACCESS_SSO_FAILED:
      'Die Anmeldung konnte nicht abgeschlossen werden. Vielleicht hat sie zu lange gedauert. Bitte beginnen Sie noch einmal.',
    ACCESS_SSO_CANCELLED:
      'Ihre Firma hat Sie nicht angemeldet. Wenn Sie nicht abgebrochen haben, fragen Sie einen Administrator.',
    ACCESS_SSO_USER_UNKNOWN:
      'Ihre Firma kennt Sie, aber Sie haben hier noch kein Konto. Bitten Sie einen Administrator, Sie anzulegen.',
    ACCESS_SSO_USER_INACTIVE:
      'Ihr Konto ist hier deaktiviert. Bitten Sie einen Administrator, es zu aktivieren.',
    ACCESS_SSO_USER_DIFFERENT:
      'Sie haben sich als jemand anderes angemeldet. Wiederholen Sie es mit Ihrem eigenen Konto.',
    ACCESS_LOCAL_SIGN_IN_OFF:
      'Passwörter werden hier nicht verwendet. Melden Sie sich mit dem Konto Ihres Unternehmens an.',
    ACCESS_PASSWORD_LINK_INVALID:
      'Dieser Link ist abgelaufen, wurde schon verwendet oder durch einen neueren ersetzt. Fordern Sie einen neuen an.',
    ACCESS_LOGOUT_TOKEN_INVALID: 'Das Abmelde-Token ist ungültig.',
    ACCESS_CODE_WRONG:
      'Der Code ist falsch oder abgelaufen. Prüfen Sie ihn, oder lassen Sie sich einen neuen senden.',
    ACCESS_CODES_EXHAUSTED:
      'Heute wurden zu viele Codes gesendet. Versuchen Sie es morgen wieder, oder bitten Sie einen Administrator.',
    VIEW_NOT_FOUND: 'Diese Ansicht gibt es nicht mehr. Laden Sie die Seite neu.',
    VIEW_OF_SOMEBODY_ELSE:
      'Nur wer diese Ansicht geteilt hat und Administratoren können sie ändern. Speichern Sie eine eigene Ansicht.',
    VIEW_NAME_TAKEN: 'Eine andere Ansicht heißt schon so. Wählen Sie einen anderen Namen.',
    VIEW_TOO_MANY: 'Es gibt zu viele Ansichten. Löschen Sie eine, die nicht gebraucht wird.',
    CALL_NOT_FOUND: 'Diese Sammeländerung gibt es nicht mehr.',
    CALL_RUNNING: 'Diese Sammeländerung läuft noch. Warten Sie, bis sie beendet ist.',
    CALL_TOO_OLD:
      'Diese Sammeländerung ist zu alt, um sie rückgängig zu machen: Einige seiner Änderungen sind nicht mehr im Verlauf.',
    CALL_EXCEEDS_SAFETY_LIMIT:
      'Das betrifft mehr Benutzer, als die Sicherheitsgrenze erlaubt. Es wurde nichts geändert.',
    CALL_UNDONE:
      'Diese Sammeländerung wurde rückgängig gemacht, bevor sie beendet war. Führen Sie sie erneut aus.',
    CALL_CONFIRMATION_REQUIRED:
      'Die Zahl der Benutzer hat sich geändert, deshalb wurde nichts geändert. Prüfen Sie die Vorschau, und bestätigen Sie erneut.',
    CALL_MATCHES_TOO_MANY:
      'Es passen zu viele Benutzer. Fügen Sie Filter hinzu, und ändern Sie die Benutzer in Teilen.',
    CALL_ITEM_OUTDATED:
      'Übersprungen, weil sich seit der Vorschau etwas geändert hat. Falls Sie das weiterhin möchten, erstellen Sie eine neue Vorschau, und führen Sie es noch einmal aus.',
    CALL_STATE_CONFLICT: 'Über diese Änderung wurde bereits entschieden. Laden Sie die Seite neu.',
    CALL_APPROVAL_BY_AUTHOR:
      'Sie haben diese Änderung geplant oder übernommen, deshalb muss sie jemand anderes genehmigen.',
    CALL_TOO_MANY_PLANNED:
      'Es sind zu viele Änderungen geplant. Brechen Sie einige ab, oder warten Sie, bis sie ausgeführt sind.',
    CALL_NOT_UNDOABLE:
      'Diese Sammeländerung hat Benutzer endgültig gelöscht. Das lässt sich nicht rückgängig machen.',
    IDEMPOTENCY_KEY_INVALID: reload,
    IDEMPOTENCY_KEY_REUSED: reload,
    IDEMPOTENCY_KEY_IN_USE:
      'Dieselbe Anfrage läuft noch. Warten Sie einen Moment, und versuchen Sie es dann noch einmal.',
    WEBHOOK_NOT_FOUND: 'Diesen Webhook gibt es nicht mehr. Laden Sie die Seite neu.',
    WEBHOOK_URL_REFUSED:
      'An diese URL können keine Webhooks gesendet werden. Geben Sie eine vollständige URL ein, die mit https:// beginnt, ohne Benutzernamen, Passwort oder „#“. Sie darf nicht in ein privates Netz führen, es sei denn, Ihre Installation erlaubt es.',
    EVENTS_PRUNED: 'Diese Ereignisse sind nicht mehr verfügbar. Wählen Sie eine höhere Nummer.',
    EVENTS_BUSY: 'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
    BACKUP_BUSY:
      'Der Dienst erstellt bereits eine Sicherung. Versuchen Sie es noch einmal, wenn sie fertig ist.',
    DIRECTORY_ENTRY_NOT_FOUND:
      'Diesen Eintrag gibt es nicht mehr. Schließen Sie das Fenster, und laden Sie die Seite neu.',
    DIRECTORY_ENTRY_EXISTS: 'Diese ID ist bereits vergeben. Gehen Sie zurück, und wählen Sie eine andere.',
    DIRECTORY_ENTRY_IN_USE:
      'Der Eintrag kann nicht gelöscht werden: Es gibt noch Benutzer oder untergeordnete Organisationen dazu.',
    ATTRIBUTE_NOT_FOUND: 'Dieses Attribut gibt es nicht mehr. Laden Sie die Seite neu.',
    ATTRIBUTE_KEY_EXISTS: 'Ein anderes Attribut hat diesen Schlüssel. Wählen Sie einen anderen.',
    ATTRIBUTE_IN_USE:
      'Benutzer haben einen Wert dieses Attributs. Leeren Sie ihn zuerst, oder legen Sie das Attribut still.',
    ATTRIBUTE_TOO_MANY: 'Mehr Attribute sind nicht möglich. Löschen Sie zuerst eines.',
    ATTRIBUTE_NOT_UNIQUE:
      'Mehrere Benutzer haben denselben Wert. Ändern Sie diese Werte zuerst, damit er eindeutig sein kann.',
    SCIM_TARGET_NOT_FOUND: 'Diese Verbindung gibt es nicht mehr. Laden Sie die Seite neu.',
    SCIM_TARGET_URL_REFUSED:
      'An diese URL können keine Benutzer übertragen werden. Geben Sie eine vollständige URL ein, die mit https:// beginnt, ohne Benutzernamen, Passwort, „?“ oder „#“. Sie muss aus dem Internet erreichbar sein, sofern der Betreiber keine anderen Hosts erlaubt.',
    FEED_NOT_FOUND: 'Diesen Feed gibt es nicht mehr. Laden Sie die Seite neu.',
    FEED_KEY_EXISTS: 'Ein anderer Feed hat diesen Schlüssel. Wählen Sie einen anderen.',
    FEED_TOO_MANY: 'Es gibt zu viele Feeds. Löschen Sie zuerst einen.',
    FEED_RUN_NOT_FOUND: 'Diesen Lauf gibt es nicht mehr. Laden Sie die Seite neu.',
    FEED_RUN_STATE_CONFLICT: 'Der Lauf ist inzwischen weiter. Laden Sie die Seite neu.',
    FEED_APPROVAL_BY_AUTHOR:
      'Sie haben diese Datei hochgeladen, deshalb muss jemand anderes den Lauf genehmigen.',
    FEED_FILE_GONE:
      'Die Datei dieses Laufs ist nicht mehr gespeichert und kann nicht noch einmal gelesen werden.',
    FEED_BUSY:
      'Ein Lauf dieses Feeds ist noch nicht beendet. Warten Sie, geben Sie ihn frei oder brechen Sie ihn ab.',
    SCIM_REQUEST_INVALID: 'Die Anfrage des Anbieters ergibt keinen Sinn.',
    SCIM_RESOURCE_NOT_FOUND: 'Der Anbieter hat etwas angefragt, das es nicht mehr gibt.',
    SCIM_FILTER_FORBIDDEN: 'Der Anbieter hat etwas angefragt, das nicht unterstützt wird.',
    SCIM_REFERENCE_UNRESOLVED:
      'Eine andere Operation der Anfrage ist fehlgeschlagen, oder beide verweisen aufeinander.',
    SCIM_OPERATION_SKIPPED: 'Die Operation wurde nicht ausgeführt, weil zu viele andere fehlgeschlagen sind.',
    SCIM_DEACTIVATION_LIMIT:
      'Der Anbieter hat zu viele Benutzer deaktiviert. Lassen Sie mehr zu, wenn das so gewollt ist.',
    SERVICE_UNAVAILABLE:
      'Der Dienst ist ausgelastet oder nicht verfügbar. Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
    SERVICE_OUTCOME_UNKNOWN:
      'Die Verbindung zur Datenbank ging verloren. Die Änderung wurde möglicherweise vorgenommen. Prüfen Sie das, bevor Sie es noch einmal versuchen.',
    SERVICE_INTERNAL_ERROR:
      'Im Dienst ist ein unerwarteter Fehler aufgetreten. Versuchen Sie es noch einmal. Wenn er wieder auftritt, informieren Sie Ihren Administrator.',
  },

  retryIn: (duration) => `Es gab zu viele Versuche. Wartezeit bis zum nächsten Versuch: ${duration}.`,
  invalidParent:
    'Wählen Sie eine andere übergeordnete Organisation. Eine Organisation kann weder zu sich selbst noch zu einer ihrer untergeordneten Organisationen gehören und nicht zu tief verschachtelt sein.',
  tooManyItems: (limit) => `Es können höchstens ${formatNumber(limit)} Zeilen auf einmal gesendet werden.`,
  callState: (state) => `Über diese Änderung wurde bereits entschieden. Ihr Status ist jetzt: ${state}.`,
  changedSince: (fields) => `Unverändert gelassen, weil seitdem geändert wurde: ${fields.join(', ')}.`,
  erasedOn: (date) => `Die personenbezogenen Daten dieses Benutzers wurden am ${date} endgültig gelöscht.`,
  notFound: {
    plain: (employeeID) => `Kein Benutzer hat die Personalnummer „${employeeID}“.`,
    renamedByRow: (employeeID, row, newEmployeeID) =>
      `Kein Benutzer hat die Personalnummer „${employeeID}“, denn Zeile ${formatNumber(row)} ändert sie in „${newEmployeeID}“.`,
    renamed: (employeeID, newEmployeeID, date) =>
      `Kein Benutzer hat die Personalnummer „${employeeID}“. Sie wurde am ${date} in „${newEmployeeID}“ geändert.`,
    removed: (employeeID, date) =>
      `Kein Benutzer hat die Personalnummer „${employeeID}“. Der Benutzer, der sie hatte, wurde am ${date} entfernt.`,
    at: (employeeID, date) => `Am ${date} hatte kein Benutzer die Personalnummer „${employeeID}“.`,
  },
  taken: {
    employeeID: (value) => `Die Personalnummer „${value}“ ist bereits an einen anderen Benutzer vergeben.`,
    username: (value) => `Der Benutzername „${value}“ ist bereits an einen anderen Benutzer vergeben.`,
  },
  takenByInactive: {
    employeeID: (value) => `Die Personalnummer „${value}“ ist bereits an einen inaktiven Benutzer vergeben.`,
    username: (value) => `Der Benutzername „${value}“ ist bereits an einen inaktiven Benutzer vergeben.`,
  },
  takenByRow: {
    employeeID: (value, row) =>
      `Die Personalnummer „${value}“ ist bereits durch Zeile ${formatNumber(row)} vergeben.`,
    username: (value, row) =>
      `Der Benutzername „${value}“ ist bereits durch Zeile ${formatNumber(row)} vergeben.`,
  },
  quarantined: {
    employeeID: (value, until) =>
      `Die Personalnummer „${value}“ wurde vor Kurzem frei. Bis ${until} kann nur ihr letzter Inhaber sie wieder erhalten. Wählen Sie eine andere. Ein Administrator kann die Sperrfrist vorzeitig beenden.`,
    username: (value, until) =>
      `Der Benutzername „${value}“ wurde vor Kurzem frei. Bis ${until} kann nur sein letzter Inhaber ihn wieder erhalten. Wählen Sie einen anderen. Ein Administrator kann die Sperrfrist vorzeitig beenden.`,
  },
  releasedByRow: {
    employeeID: (value, row) =>
      `Die Personalnummer „${value}“ wird durch Zeile ${formatNumber(row)} frei. Vorerst kann nur ihr letzter Inhaber sie wieder erhalten.`,
    username: (value, row) =>
      `Der Benutzername „${value}“ wird durch Zeile ${formatNumber(row)} frei. Vorerst kann nur sein letzter Inhaber ihn wieder erhalten.`,
  },

  about: (field, sentence) => `${field}: ${sentence}`,
  required: 'Dieses Feld ist erforderlich.',
  notAccepted: 'Dieses Feld kann hier nicht gesetzt werden.',
  managerCycle: (manager, user) => `${manager} berichtet bereits direkt oder über andere an ${user}.`,
  notInDirectory: {
    organizationSerial:
      'Diese Organisation gibt es nicht. Fügen Sie sie zuerst hinzu, oder wählen Sie eine andere.',
    tagSerials:
      'Eines dieser Schlagwörter gibt es nicht. Fügen Sie es zuerst hinzu, oder wählen Sie ein anderes.',
  },
  rules: {
    employeeID: alphanumeric,
    newEmployeeID: alphanumeric,
    username: alphanumeric,
    email: (max) =>
      `Geben Sie eine Adresse wie name@example.com ein, ohne Leerzeichen und mit höchstens ${formatNumber(max)} Zeichen.`,
    text: singleLine,
    password: (max) => `Geben Sie höchstens ${formatNumber(max)} Zeichen ein.`,
    organizationSerial: (max) =>
      `Geben Sie eine ID mit höchstens ${formatNumber(max)} Zeichen ein, ohne Zeilenumbrüche und unsichtbare Steuerzeichen.`,
    managerEmployeeID: () =>
      'Kein Benutzer hat diesen Namen oder diese Personalnummer. Wählen Sie eine Führungskraft aus der Liste.',
    list: (max, count) =>
      `Geben Sie höchstens ${formatNumber(count)} IDs mit je bis zu ${formatNumber(max)} Zeichen ein, ohne Zeilenumbrüche und unsichtbare Steuerzeichen.`,
    boolean: () => 'Geben Sie ja oder nein, aktiv oder inaktiv, wahr oder falsch, 1 oder 0 ein.',
  },
  passwords: {
    length: (min, max) => `Verwenden Sie ${formatNumber(min)} bis ${formatNumber(max)} Zeichen.`,
    characters: 'Dieses Passwort enthält unsichtbare Steuerzeichen. Entfernen Sie sie.',
    ownName: 'Das Passwort darf nicht der Benutzername oder die Personalnummer sein.',
    common: 'Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.',
    unchanged: 'Das ist Ihr aktuelles Passwort. Wählen Sie ein anderes.',
    guessable: (words) =>
      `Dieses Passwort ist leicht zu erraten, weil es auf Folgendem beruht: ${listed.format(words)}. Fügen Sie weitere Zeichen hinzu, oder wählen Sie ein anderes.`,
    words: {
      product: 'Name dieses Produkts oder einer Rolle',
      company: 'Name des Unternehmens',
      username: 'Ihr Benutzername',
      employeeID: 'Ihre Personalnummer',
      email: 'Ihre E-Mail-Adresse',
    },
  },
};

export const outageCopy: Translation<typeof englishOutage> = {
  waiting: 'Der Dienst ist nicht erreichbar. Die Verbindung wird wiederhergestellt…',
  pageFailed: 'Diese Seite konnte nicht angezeigt werden',
  pageFailedHint: 'Laden Sie die Seite neu. Wenn das nicht hilft, informieren Sie Ihren Administrator.',
  reload: 'Seite neu laden',
  notFoundHint: 'Der Link ist möglicherweise falsch, oder die Seite wurde verschoben.',
  toStart: 'Zur Startseite',
};
