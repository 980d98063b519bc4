-- Feeds: files that the service fetches and syncs by itself (docs/decisions/0044-feeds.md).
CREATE TABLE feeds (
  -- Never changes: changes of users name it as their actor.
  key text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When the schedule asks for the next run, or for another look at the source. Null if it doesn't.
  due_at timestamptz,
  -- Until when this run may wait for its file.
  due_until timestamptz,
  -- Counts the changes of its settings.
  version integer NOT NULL DEFAULT 1,
  is_paused boolean NOT NULL DEFAULT false,
  -- Whoever chose the mapping may read and write sensitive attributes, and so may the feed.
  writes_sensitive boolean NOT NULL,
  name text NOT NULL,
  -- Source, schedule, mapping, rules, limits, and whom to inform.
  settings json NOT NULL,
  -- What the source needs, and the URL of a chat. Encrypted.
  secret bytea,
  secret_key_id text COLLATE "C",
  -- Of the file that was read last, to notice a new one.
  file_version json,
  CONSTRAINT feeds__key PRIMARY KEY (key)
);
CREATE INDEX feeds__due_at ON feeds (due_at) WHERE due_at IS NOT NULL AND NOT is_paused;

-- Every version of the settings, because a run reports which one it used.
CREATE TABLE feed_versions (
  feed_key text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  actor_kind text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  settings json NOT NULL,
  CONSTRAINT feed_versions__feed_key_version PRIMARY KEY (feed_key, version),
  CONSTRAINT feed_versions__feeds FOREIGN KEY (feed_key) REFERENCES feeds (key) ON DELETE CASCADE
);

CREATE TABLE feed_runs (
  id uuid NOT NULL,
  feed_key text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- While a node works on it. Another one that goes on raises the claim, and only the last may write.
  claimed_until timestamptz,
  approved_at timestamptz,
  -- Until when it may wait for its file.
  due_until timestamptz,
  -- The run whose file is read again.
  replays uuid,
  claim integer NOT NULL DEFAULT 0,
  -- Claims since the last progress whose node has not been heard of again.
  crashes integer NOT NULL DEFAULT 0,
  -- Of the settings.
  version integer NOT NULL,
  -- Of the file; null until it was read.
  rows integer,
  -- Rows of the file that are done.
  done integer NOT NULL DEFAULT 0,
  is_dry_run boolean NOT NULL,
  -- Whether somebody has asked it to stop.
  is_cancelled boolean NOT NULL DEFAULT false,
  -- uploading (invisible until the file is complete), queued, running, waiting, done, unchanged, failed, stopped, cancelled,
  -- superseded, undoing, undone
  state text COLLATE "C" NOT NULL,
  -- fetch, plan, apply
  phase text COLLATE "C" NOT NULL,
  -- schedule, newFile, upload, request
  trigger text COLLATE "C" NOT NULL,
  -- Who started it; null for the schedule.
  actor_kind text COLLATE "C",
  actor_id text COLLATE "C",
  approver_kind text COLLATE "C",
  approver_id text COLLATE "C",
  -- Who undid it, and what that caller might do.
  undoer_kind text COLLATE "C",
  undoer_id text COLLATE "C",
  undoer_scopes text[],
  file_name text,
  -- SHA-256.
  file_hash text COLLATE "C",
  file_version json,
  -- How many rows had which outcome, and how many users changed in which field, or lost its value.
  counts json NOT NULL DEFAULT '{"kinds": {}, "changed": {}, "emptied": {}}',
  -- What it would do, as it was before the first write.
  profile json,
  -- Why it waits or was stopped, and what failed. Without personal data.
  findings json,
  problem json,
  -- Hashes of the employee IDs in the file, sorted: those who are mentioned in it. Null if nobody can tell.
  mentions bytea,
  CONSTRAINT feed_runs__id PRIMARY KEY (id),
  CONSTRAINT feed_runs__feeds FOREIGN KEY (feed_key) REFERENCES feeds (key) ON DELETE CASCADE
);
CREATE INDEX feed_runs__feed_key ON feed_runs (feed_key, id);
CREATE INDEX feed_runs__open ON feed_runs (state) WHERE state IN ('queued', 'running', 'waiting', 'undoing');
-- Runs of one feed never overlap.
CREATE UNIQUE INDEX feed_runs__running ON feed_runs (feed_key) WHERE state IN ('running', 'undoing') AND NOT is_dry_run;

-- The file of a run, compressed, in parts.
CREATE TABLE feed_files (
  run_id uuid NOT NULL,
  part integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  bytes bytea NOT NULL,
  CONSTRAINT feed_files__run_id_part PRIMARY KEY (run_id, part),
  CONSTRAINT feed_files__feed_runs FOREIGN KEY (run_id) REFERENCES feed_runs (id) ON DELETE CASCADE
);
ALTER TABLE feed_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX feed_files__created_at ON feed_files (created_at);

-- The progress of a run, so that another node can go on: what a chunk of rows is about to do, and what it did.
CREATE TABLE feed_chunks (
  run_id uuid NOT NULL,
  chunk text COLLATE "C" NOT NULL,
  is_done boolean NOT NULL,
  -- [[employee ID, what happens], …] until it is done.
  intents json,
  -- Rows to be tried again at the end.
  retries integer[] NOT NULL DEFAULT '{}',
  CONSTRAINT feed_chunks__run_id_chunk PRIMARY KEY (run_id, chunk),
  CONSTRAINT feed_chunks__feed_runs FOREIGN KEY (run_id) REFERENCES feed_runs (id) ON DELETE CASCADE
);

-- What became of each row that did something, or failed.
CREATE TABLE feed_rows (
  run_id uuid NOT NULL,
  -- The row of the file; users who are missing from it come after all rows.
  place integer NOT NULL,
  is_missing boolean NOT NULL,
  user_serial uuid,
  kind text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C",
  code text COLLATE "C",
  detail text,
  changed text[],
  kept text[],
  CONSTRAINT feed_rows__run_id_place PRIMARY KEY (run_id, place),
  CONSTRAINT feed_rows__feed_runs FOREIGN KEY (run_id) REFERENCES feed_runs (id) ON DELETE CASCADE
);
CREATE INDEX feed_rows__kind ON feed_rows (run_id, kind, place);
CREATE INDEX feed_rows__user_serial ON feed_rows (user_serial) WHERE user_serial IS NOT NULL;
CREATE INDEX feed_rows__employee_id ON feed_rows (employee_id) WHERE employee_id IS NOT NULL;

-- The feed whose file had the user last.
CREATE TABLE feed_users (
  user_serial uuid NOT NULL,
  feed_key text COLLATE "C" NOT NULL,
  CONSTRAINT feed_users__user_serial PRIMARY KEY (user_serial),
  CONSTRAINT feed_users__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE,
  CONSTRAINT feed_users__feeds FOREIGN KEY (feed_key) REFERENCES feeds (key) ON DELETE CASCADE
);
CREATE INDEX feed_users__feed_key ON feed_users (feed_key);

-- The planned calls of rows that take effect later, so that the next run plans only what is new.
CREATE TABLE feed_plans (
  feed_key text COLLATE "C" NOT NULL,
  -- In the time zone of the service.
  day text COLLATE "C" NOT NULL,
  -- Of the items.
  hash text COLLATE "C" NOT NULL,
  call_ids uuid[] NOT NULL,
  CONSTRAINT feed_plans__feed_key_day PRIMARY KEY (feed_key, day),
  CONSTRAINT feed_plans__feeds FOREIGN KEY (feed_key) REFERENCES feeds (key) ON DELETE CASCADE
);

-- The last day whose digest was sent.
CREATE TABLE feed_digest (
  id boolean NOT NULL DEFAULT true,
  day text COLLATE "C" NOT NULL,
  CONSTRAINT feed_digest__id PRIMARY KEY (id),
  CONSTRAINT feed_digest__one_row CHECK (id)
);
