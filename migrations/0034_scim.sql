-- What identity providers know about users and nothing else stands for (docs/decisions/0045-scim.md). NULL for users whom
-- no provider has touched, so that they cost nothing.
ALTER TABLE users ADD COLUMN scim jsonb;

-- Another name to sign in with, folded as names are compared. It contains a character that no username can have, so it is
-- nobody's username or employee ID.
ALTER TABLE users ADD COLUMN sign_in_name text COLLATE "C";
CREATE UNIQUE INDEX users__sign_in_name ON users (sign_in_name) WHERE sign_in_name IS NOT NULL;

-- What users are looked up by: external IDs, the providers that manage them, and further email addresses.
CREATE INDEX users__scim_keys ON users USING gin ((scim -> 'keys') jsonb_path_ops) WHERE scim IS NOT NULL;

-- The address by which providers match users.
CREATE INDEX users__email ON users (lower(email)) WHERE email IS NOT NULL;
