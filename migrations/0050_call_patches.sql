-- What a call of update-matching sets, without values: the console says it in the language of the user.
ALTER TABLE calls ADD COLUMN patch jsonb;
