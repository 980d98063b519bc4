import type { passwordLinkCopy as english } from '../en/password-link.js';
import type { Translation } from '../translation.js';

export const passwordLinkCopy: Translation<typeof english> = {
  forgotHint:
    'Geben Sie Ihren Benutzernamen oder Ihre Personalnummer ein. Sie erhalten dann einen Link, mit dem Sie ein neues Passwort wählen: per E-Mail, oder per SMS, wenn Sie keine E-Mail-Adresse haben.',
  sendLink: 'Link senden',
  linkSent:
    'Wenn Sie sich hier mit einem Passwort anmelden können, ist ein Link unterwegs. Er funktioniert 15 Minuten lang.',
  linkNotSent: 'Der Link konnte nicht gesendet werden',
  backToSignIn: 'Zurück zur Anmeldung',
  goToSignIn: 'Zur Anmeldung',
  passwordRecovered: 'Ihr neues Passwort gilt ab sofort. Alle Ihre Sitzungen wurden beendet.',
  invalid: {
    title: 'Dieser Link funktioniert nicht mehr',
    hint: 'Er wurde schon verwendet, ist abgelaufen oder wurde durch einen neueren ersetzt. Wenn Sie damit bereits ein Passwort gewählt haben, melden Sie sich mit diesem an.',
  },
  missing: {
    title: 'Öffnen Sie den Link noch einmal',
    hint: 'Diese Seite braucht den Link aus Ihrer Nachricht und verliert ihn, wenn sie neu geladen wird. Öffnen Sie den Link in der Nachricht noch einmal, oder fordern Sie einen neuen an.',
  },
  askForLink: 'Bitten Sie einen Administrator, Ihnen einen neuen zu senden.',
};
