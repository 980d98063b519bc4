/** Was Benutzer von sich selbst sehen und ändern. */
export const profileCopy = {
  title: 'Ihre Daten',
  lead: 'Das hat Ihr Unternehmen über Sie gespeichert. Was Sie hier nicht selbst ändern können, korrigiert Ihre Personalabteilung.',
  cannotLoad: 'Ihre Daten konnten nicht geladen werden',
  edit: 'Bearbeiten',
  cancel: 'Abbrechen',
  saved: 'Gespeichert.',
  notSaved: 'Ihre Daten konnten nicht gespeichert werden',
  contactHint: 'Dorthin senden wir zuerst einen Code.',
  organization: 'Organisation',
  tags: 'Schlagwörter',
  confirm: {
    title: (value: string) => `${value} bestätigen`,
    sent: 'Wir haben einen Code mit 8 Ziffern dorthin gesendet. Geben Sie ihn hier ein, damit die Angabe übernommen wird.',
    sending:
      'Ein Code mit 8 Ziffern ist dorthin unterwegs. Geben Sie ihn hier ein, damit die Angabe übernommen wird.',
    until: (time: string) => `Der Code gilt bis ${time}.`,
    code: 'Code',
    action: 'Bestätigen',
    withdraw: 'Bisherige Angabe behalten',
    failed: 'Die Bestätigung ist fehlgeschlagen',
    notWithdrawn: 'Die neue Angabe konnte nicht verworfen werden',
    attemptsLeft: (count: number) =>
      count === 0
        ? 'Dieser Code gilt nicht mehr. Bearbeiten Sie Ihre Daten noch einmal, um einen neuen zu erhalten.'
        : count === 1
          ? 'Falscher Code. Sie haben noch einen Versuch.'
          : `Falscher Code. Sie haben noch ${count} Versuche.`,
    done: (value: string) => `${value} ist bestätigt.`,
  },
  team: {
    title: 'Ihr Team',
    manager: 'Ihre Führungskraft',
    reports: 'Ihnen unterstellt',
    noManager: 'Es ist keine Führungskraft eingetragen.',
    inactive: (name: string) => `${name} (inaktiv)`,
    more: 'und andere',
  },
  report: { action: 'Als Bericht herunterladen', failed: 'Der Bericht konnte nicht erstellt werden' },
  history: {
    title: 'Was sich geändert hat',
    table: 'Änderungen, die neuesten zuerst',
    lead: 'Änderungen an Ihren Daten, die neuesten zuerst.',
    empty: 'Noch keine Änderungen.',
    cannotLoad: 'Die Änderungen konnten nicht geladen werden',
    when: 'Wann',
    what: 'Was',
    by: {
      self: 'von Ihnen',
      person: 'von jemandem, der Benutzer verwaltet',
      program: 'durch ein anderes System',
    },
    valueChanged: (field: string) => `${field} geändert`,
  },
};
