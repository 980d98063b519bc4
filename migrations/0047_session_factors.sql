-- With which second factor the user of a session has proved who they are: applications are told.
ALTER TABLE sessions ADD COLUMN factor text COLLATE "C";
