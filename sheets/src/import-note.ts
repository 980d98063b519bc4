const separator = ' – ';
const code = 'invalid-rows-left-out=';

/** A note for a call that says, in no language, how many rows of its file were invalid and not sent. */
export function importNote(note: string, leftOut: number, charactersMax: number): string {
  if (leftOut === 0) return note;
  const text = `${code}${leftOut}`;
  const given = [...note.trim()].slice(0, charactersMax - text.length - separator.length).join('');
  return given === '' ? text : `${given}${separator}${text}`;
}

/** The note of a call, as its reader is to see it. */
export function importNoteText(note: string, leftOutText: (count: number) => string): string {
  const at = note.lastIndexOf(code);
  const [before, digits] = [note.slice(0, at), note.slice(at + code.length)];
  const isCoded = at !== -1 && /^\d{1,9}$/.test(digits) && (before === '' || before.endsWith(separator));
  return isCoded ? `${before}${leftOutText(Number(digits))}` : note;
}
