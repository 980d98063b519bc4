-- Lists of users under a name, each for its user or shared with everybody.
CREATE TABLE views (
  id uuid NOT NULL,
  -- Who has it alone. A shared view has nobody.
  owner_serial uuid,
  -- Who saved it. The name is forgotten with the user.
  author_serial uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL,
  query text NOT NULL,
  CONSTRAINT views__id PRIMARY KEY (id),
  CONSTRAINT views__owner FOREIGN KEY (owner_serial) REFERENCES users (serial) ON DELETE CASCADE,
  CONSTRAINT views__author FOREIGN KEY (author_serial) REFERENCES users (serial) ON DELETE SET NULL
);
CREATE UNIQUE INDEX views__name ON views (owner_serial, lower(name)) NULLS NOT DISTINCT;
CREATE INDEX views__author_serial ON views (author_serial);

-- When a client last sent a request, to the minute. NULL if it never did, or not since this migration.
ALTER TABLE clients ADD COLUMN last_used_at timestamptz;
