-- Files name organizations and tags as people do. Names are compared without regard to case and white space, also the
-- white space that spreadsheets and web pages use. Upper case comes first, because ß has none of its own.
CREATE FUNCTION entry_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN normalize(lower(upper(
    normalize(btrim(regexp_replace(name, '[\s\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g')))
    COLLATE "und-x-icu")));

ALTER TABLE organizations
  ADD COLUMN name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (entry_key(coalesce(display_name, serial))) STORED,
  -- When the serial came into the directory.
  ADD COLUMN added_at timestamptz NOT NULL DEFAULT '-infinity',
  -- Nothing but an undone call has brought the serial here: it is in the directory only while a user has it.
  ADD COLUMN is_undone boolean NOT NULL DEFAULT false;
ALTER TABLE organizations ALTER COLUMN added_at SET DEFAULT clock_timestamp();
CREATE INDEX organizations__name_key ON organizations (name_key);

ALTER TABLE tags
  ADD COLUMN name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (entry_key(coalesce(display_name, serial))) STORED,
  ADD COLUMN added_at timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN is_undone boolean NOT NULL DEFAULT false;
ALTER TABLE tags ALTER COLUMN added_at SET DEFAULT clock_timestamp();
CREATE INDEX tags__name_key ON tags (name_key);

-- What organizations and tags were called before: other display names, and other serials.
CREATE TABLE former_entry_names (
  -- organizations or tags
  directory text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  serial text COLLATE "C" NOT NULL,
  CONSTRAINT former_entry_names__name PRIMARY KEY (directory, name_key, serial)
);
CREATE INDEX former_entry_names__serial ON former_entry_names (directory, serial);

-- What people have decided that a name in a file means. Without a serial, it means nothing and is left out.
CREATE TABLE entry_name_decisions (
  directory text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  serial text COLLATE "C",
  CONSTRAINT entry_name_decisions__name PRIMARY KEY (directory, name_key)
);
CREATE INDEX entry_name_decisions__serial ON entry_name_decisions (directory, serial) WHERE serial IS NOT NULL;
