-- Names that an administrator has released before the end of their quarantine (docs/decisions/0031-quarantine-and-rehire.md).
CREATE TABLE released_names (
  -- employeeID or username.
  kind text COLLATE "C" NOT NULL,
  -- Usernames in lower case.
  name text COLLATE "C" NOT NULL,
  -- Changes up to this number no longer quarantine the name.
  seq bigint NOT NULL,
  CONSTRAINT released_names__kind_name PRIMARY KEY (kind, name)
);
