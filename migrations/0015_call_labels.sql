-- What the caller said about a call: where its items come from, usually the name of a file, and a note.
ALTER TABLE calls ADD COLUMN source text, ADD COLUMN note text;
