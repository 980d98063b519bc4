export const restoreCopy = {
  undo: 'Rückgängig',
  undone: (name: string, fields: readonly string[]) =>
    `Bei ${name} rückgängig gemacht: ${fields.join(', ')}.`,
  notUndone: (name: string, fields: readonly string[]) =>
    `Nichts wurde rückgängig gemacht, denn bei ${name} wurde dies erneut geändert: ${fields.join(', ')}.`,
  toHistory: 'Verlauf anzeigen',
  change: {
    action: 'Änderung rückgängig machen…',
    title: 'Diese Änderung rückgängig machen?',
    hint: (name: string, at: string) => `Diese Werte von ${name} werden wieder so wie vor dem ${at}:`,
    confirm: 'Rückgängig machen',
  },
  version: {
    action: 'Diesen Stand wiederherstellen…',
    title: 'Diesen Stand wiederherstellen?',
    hint: (name: string, at: string) => `Diese Werte von ${name} werden wieder so wie am ${at}:`,
    confirm: 'Wiederherstellen',
  },
  loading: 'Es wird geprüft, was sich ändert…',
  notLoaded: 'Es konnte nicht geprüft werden, was sich ändert',
  nothing: 'Es gibt nichts zu ändern: Die Werte sind bereits so.',
  changedAgain: (at: string) => `Erneut geändert am ${at} von`,
  taken: (name: string) => `Nicht möglich: ${name} gehört jetzt zu`,
  managerGone: 'Nicht möglich: Diese Führungskraft gibt es nicht mehr.',
  retired: 'Nicht möglich: Dieses Attribut wird nicht mehr verwendet.',
  role: 'Die Rolle wird nicht wiederhergestellt. Sie kann von der Administration neu vergeben werden.',
  changedNow: (fields: readonly string[]) =>
    `Inzwischen geändert: ${fields.join(', ')}. Prüfen Sie die Werte unten, und versuchen Sie es erneut.`,
  failed: 'Die Werte konnten nicht wiederhergestellt werden',
  done: (name: string) => `${name} wiederhergestellt.`,
};
