-- SCIM services that users and groups are pushed to (docs/scim.md#outbound).
CREATE TABLE scim_targets (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Everything up to this number of the change log is in the queue.
  position bigint NOT NULL,
  next_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz,
  failing_since timestamptz,
  pushed_at timestamptz,
  paused_at timestamptz,
  -- When everybody was put into the queue; NULL while that goes on.
  synced_at timestamptz,
  -- How far that is.
  sync_after uuid,
  -- Counts the claims; a node may write only while the count is the one of its own claim.
  claims integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  requests_per_second integer NOT NULL,
  sends_groups boolean NOT NULL,
  sends_sensitive boolean NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  -- deactivate, delete
  on_deactivate text COLLATE "C" NOT NULL,
  -- Empty: all.
  organization_serials text[] COLLATE "C" NOT NULL,
  tag_serials text[] COLLATE "C" NOT NULL,
  -- failing, secretLost; NULL if a person has paused it
  paused_because text COLLATE "C",
  last_error text COLLATE "C",
  last_status smallint,
  -- The bearer token. NULL if its key was lost.
  secret bytea,
  secret_key_id text,
  CONSTRAINT scim_targets__id PRIMARY KEY (id)
);

-- Who is there, and who is to be pushed. No reference to users: whoever is erased here has to be deleted there.
CREATE TABLE scim_target_users (
  target_id uuid NOT NULL,
  user_serial uuid NOT NULL,
  -- When the next push is due; NULL if nothing has changed since the last one.
  next_at timestamptz,
  -- The manager who was not there yet when the user was pushed.
  awaited_manager uuid,
  -- The comparison that has found the user there.
  seen_in uuid,
  -- Counts what was put into the queue: a push covers only what came before it.
  changes integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  pushed_version integer,
  last_status smallint,
  is_active_there boolean NOT NULL DEFAULT false,
  remote_id text COLLATE "C",
  last_error text COLLATE "C",
  CONSTRAINT scim_target_users__target_id_user_serial PRIMARY KEY (target_id, user_serial),
  CONSTRAINT scim_target_users__target_id_remote_id UNIQUE (target_id, remote_id),
  CONSTRAINT scim_target_users__scim_targets FOREIGN KEY (target_id) REFERENCES scim_targets (id) ON DELETE CASCADE
);
CREATE INDEX scim_target_users__next_at ON scim_target_users (target_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX scim_target_users__awaited_manager ON scim_target_users (target_id, awaited_manager)
  WHERE awaited_manager IS NOT NULL;

-- The same for groups, which are tags.
CREATE TABLE scim_target_groups (
  target_id uuid NOT NULL,
  next_at timestamptz,
  changes integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  last_status smallint,
  tag_serial text COLLATE "C" NOT NULL,
  remote_id text COLLATE "C",
  last_error text COLLATE "C",
  CONSTRAINT scim_target_groups__target_id_tag_serial PRIMARY KEY (target_id, tag_serial),
  CONSTRAINT scim_target_groups__target_id_remote_id UNIQUE (target_id, remote_id),
  CONSTRAINT scim_target_groups__scim_targets FOREIGN KEY (target_id) REFERENCES scim_targets (id) ON DELETE CASCADE
);
CREATE INDEX scim_target_groups__next_at ON scim_target_groups (target_id, next_at) WHERE next_at IS NOT NULL;

-- Who is a member of a group there, and who is to be: a change of one member costs the same in a group of any size.
CREATE TABLE scim_target_members (
  target_id uuid NOT NULL,
  user_serial uuid NOT NULL,
  is_there boolean NOT NULL,
  is_wanted boolean NOT NULL,
  tag_serial text COLLATE "C" NOT NULL,
  CONSTRAINT scim_target_members__target_id_user_serial_tag_serial PRIMARY KEY (target_id, user_serial, tag_serial),
  CONSTRAINT scim_target_members__scim_target_users FOREIGN KEY (target_id, user_serial)
    REFERENCES scim_target_users (target_id, user_serial) ON DELETE CASCADE
);
CREATE INDEX scim_target_members__tag_serial ON scim_target_members (target_id, tag_serial);
CREATE INDEX scim_target_members__pending ON scim_target_members (target_id, tag_serial) WHERE is_there <> is_wanted;

-- The last comparison of each target with what it has.
CREATE TABLE scim_comparisons (
  target_id uuid NOT NULL,
  id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- When all users were compared, and groups follow.
  users_compared_at timestamptz,
  -- How many users of the target were compared, and how many it says that it has.
  compared integer NOT NULL DEFAULT 0,
  total integer,
  groups_compared integer NOT NULL DEFAULT 0,
  missing integer NOT NULL DEFAULT 0,
  extra integer NOT NULL DEFAULT 0,
  different integer NOT NULL DEFAULT 0,
  -- The last group that was compared.
  group_after text COLLATE "C",
  error text COLLATE "C",
  CONSTRAINT scim_comparisons__target_id PRIMARY KEY (target_id),
  CONSTRAINT scim_comparisons__scim_targets FOREIGN KEY (target_id) REFERENCES scim_targets (id) ON DELETE CASCADE
);

-- Without personal data: names of fields, not their values.
CREATE TABLE scim_differences (
  id uuid NOT NULL,
  target_id uuid NOT NULL,
  user_serial uuid,
  -- missing, extra, different
  kind text COLLATE "C" NOT NULL,
  -- Instead of a user, the tag of a group.
  tag_serial text COLLATE "C",
  remote_id text COLLATE "C",
  fields text[] COLLATE "C" NOT NULL,
  CONSTRAINT scim_differences__id PRIMARY KEY (id),
  CONSTRAINT scim_differences__scim_comparisons FOREIGN KEY (target_id) REFERENCES scim_comparisons (target_id)
    ON DELETE CASCADE
);
CREATE INDEX scim_differences__target_id ON scim_differences (target_id, id);
