-- What identity providers know about users and nothing else stands for (docs/decisions/0045-scim.md). NULL for users whom
-- no provider has touched, so that they cost nothing.
ALTER TABLE users ADD COLUMN scim jsonb;

-- Another name to sign in with, folded as names are compared. It contains a character that no username can have, so it is
-- nobody's username or employee ID.
ALTER TABLE users ADD COLUMN sign_in_name text COLLATE "C";
