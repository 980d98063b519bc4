-- How the user of a session proved who they are. Only those who typed an initial password have to replace it.
ALTER TABLE sessions ADD COLUMN method text NOT NULL DEFAULT 'password';
