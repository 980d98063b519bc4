import type { FieldName } from './fields.js';

/** First and last name are not fields but parts of one. In Spanish, one word means the first name or the whole one. */
export type HeadingMeaning = FieldName | 'firstName' | 'lastName' | 'nameOrFirstName';

export interface Recognised {
  readonly meaning: HeadingMeaning;
  /** The confidence: if two columns match a field, the one with the lower number gets it. */
  readonly rank: number;
}

/** Common names of the fields, most specific first. A name belongs to one field only. */
export const synonyms: Readonly<Record<HeadingMeaning, string>> = {
  employeeID: `employee ID, employee number, employee no, employee nr, employee code, employee identifier, emp ID, emp number,
    emp no, emp code, personnel number, personnel no, personnel ID, staff ID, staff number, staff no, staff code, worker ID,
    worker number, payroll number, payroll no, payroll ID, associate ID, person ID, person number, Personalnummer,
    Personalnr, Personal-ID, Persnr, Pers-Nummer, PNr, Mitarbeiternummer, Mitarbeiternr, Mitarbeiter-ID, MA-Nummer, MA-Nr,
    Stammnummer, número de empleado, n.º de empleado, nº de empleado, núm. de empleado, ID de empleado, código de empleado,
    legajo, employee, ID, number, no, Nummer, Nr`,
  newEmployeeID: `new employee ID, new ID, new number, neue ID, neue Nummer, nuevo número de empleado, número de empleado nuevo,
    nuevo ID`,
  name: `name, full name, employee name, display name, complete name, person name, staff name, name of employee, Voller Name,
    Vollständiger Name, Mitarbeitername, Anzeigename, Vor- und Nachname, Vorname Nachname, Vorname und Nachname,
    Name Vorname, Nachname Vorname, Familienname Vorname, first and last name, first name last name,
    last name first name, last first, surname first name, Mitarbeiter, nombre completo, nombre y apellidos,
    apellidos y nombre, apellidos nombre`,
  firstName:
    'first name, given name, forename, Vorname, Rufname, first, given names, first names, nombre de pila',
  lastName: 'last name, surname, family name, Nachname, Familienname, Zuname, last, apellidos, apellido',
  nameOrFirstName: 'nombre',
  username: `username, login name, login, login ID, sign-in name, account name, account, sAMAccountName, Benutzername,
    Benutzerkennung, Benutzer, Anmeldename, Nutzername, Kennung, Login-Name, user, user ID, nombre de usuario, usuario`,
  email: `email, email address, mail, mail address, work email, business email, company email, primary email, email work,
    Mailadresse, E-Mail-Adresse, E-Mail geschäftlich, E-Mail dienstlich, dienstliche E-Mail, Email ID, correo electrónico, correo, dirección de correo`,
  phone: `phone, phone number, phone no, telephone, telephone number, telephone no, tel, tel no, tel number, Telefon,
    Telefonnummer, Telefonnr, Tel-Nr, Rufnummer, mobile, mobile phone, mobile number, mobile no, cell, cell phone,
    cell number, Handy, Handynummer, Handynr, Mobil, Mobiltelefon, Mobilnummer, Mobilfunknummer, contact number,
    work phone, business phone, Telefon geschäftlich, Telefon dienstlich, teléfono, número de teléfono,
    móvil, teléfono móvil, celular`,
  isActive: `is active, active, aktiv, ist aktiv, active status, user status, employment status, employee status, status,
    enabled, is enabled, active yn, active yes no, aktiv inaktiv, activo, activa, está activo, estado`,
  tagSerials: `tag serials, tags, tag, tag serial, tag IDs, labels, Schlagworte, Schlagwörter, Etiketten, Markierungen,
    Kennzeichen, etiquetas, etiqueta`,
  organizationSerial: `organization serial, organization, organization ID, organization code, organisation serial, organisation,
    organisation ID, organisation code, org serial, org ID, org code, org, org unit, organizational unit,
    Organisationseinheit, OE, department, department ID, department code, dept, dept ID, dept code, Abteilung,
    Abteilungsnummer, Abteilungs-ID, division, business unit, unit, Bereich, team, organización, ID de organización, unidad organizativa,
    departamento, área`,
  managerEmployeeID: `manager employee ID, manager, manager ID, manager number, line manager, supervisor, supervisor ID, reports to,
    boss, Führungskraft, Vorgesetzter, Vorgesetzte, Vorgesetzten-ID, Personalnummer der Führungskraft, Personalnummer Führungskraft,
    Personalnummer Vorgesetzter, responsable, jefe, jefa, superior, supervisor directo, número de empleado del responsable`,
  password: `password, initial password, pwd, Passwort, Kennwort, Initialpasswort, Startpasswort, Anfangspasswort, Erstpasswort,
    initiales Passwort, contraseña, contraseña inicial`,
};

/** Ignores case, spaces, punctuation, accents, and whether an umlaut is written ä, ae or a. */
export function headingKey(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('#', 'number')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/([aou])e/g, '$1');
}

const known = new Map<string, Recognised>();
for (const [meaning, words] of Object.entries(synonyms) as [HeadingMeaning, string][]) {
  for (const [rank, word] of words.split(',').entries()) known.set(headingKey(word), { meaning, rank });
}
// A file that was exported with the names of the API is read back, whatever else a name may mean.
for (const meaning of Object.keys(synonyms) as HeadingMeaning[])
  known.set(headingKey(meaning), { meaning, rank: -1 });

const ofNewIds = ['new', 'neue', 'neuer', 'future', 'künftige'].map(headingKey);
const ofOldIds = ['old', 'alte', 'current', 'previous', 'existing', 'bisherige', 'aktuelle'].map(headingKey);

export function recognise(heading: string): Recognised | undefined {
  return (
    recogniseKey(headingKey(heading)) ?? recogniseKey(headingKey(heading.replace(/\(.*?\)|\[.*?\]/g, '')))
  );
}

/** Whether a heading is in the list, however it is punctuated. */
export function isCommonHeading(heading: string): boolean {
  return recogniseKey(headingKey(heading)) !== undefined;
}

function recogniseKey(key: string): Recognised | undefined {
  return (
    known.get(key) ??
    employeeIdOf(key, ofNewIds, 'newEmployeeID') ??
    employeeIdOf(key, ofOldIds, 'employeeID')
  );
}

/** "Old" and "new" combine with any name of the employee ID. The "old" one is the current ID. */
function employeeIdOf(
  key: string,
  prefixes: readonly string[],
  meaning: 'employeeID' | 'newEmployeeID',
): Recognised | undefined {
  for (const prefix of prefixes) {
    const word = key.startsWith(prefix) ? known.get(key.slice(prefix.length)) : undefined;
    if (word?.meaning === 'employeeID') return { meaning, rank: word.rank };
  }
  return undefined;
}
