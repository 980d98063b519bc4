-- What became of each item of a bulk call: one row per chunk, written by the statement that records the chunk.
CREATE TABLE call_items (
  call_id uuid NOT NULL,
  -- The position of the first item.
  first_item integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- By position, from the first item on. An item that failed has no serial; one that was not understood has no employee
  -- ID either.
  serials uuid[] NOT NULL,
  employee_ids text[] COLLATE "C" NOT NULL,
  -- {"17": {…}}, by position in the call.
  failures json NOT NULL,
  CONSTRAINT call_items__call_id_first_item PRIMARY KEY (call_id, first_item)
);
-- Serials can't be compressed, and for employee IDs it would take longer than to write them.
ALTER TABLE call_items ALTER COLUMN serials SET STORAGE EXTERNAL, ALTER COLUMN employee_ids SET STORAGE EXTERNAL;
CREATE INDEX call_items__created_at ON call_items (created_at);

-- Calls that run later, once they are due and approved. Their state is in `calls`.
CREATE TABLE planned_calls (
  call_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Null: as soon as possible.
  effective_at timestamptz,
  -- When a node may run it. Null while it waits for approval, and once it has ended.
  due_at timestamptz,
  -- Null: never.
  expires_at timestamptz,
  approved_at timestamptz,
  cancelled_at timestamptz,
  needs_approval boolean NOT NULL,
  -- The author may no longer do this, so it waits for someone else.
  needs_takeover boolean NOT NULL DEFAULT false,
  -- What happens to items whose outcome is no longer the one of the preview: skip, run, stop.
  if_changed text COLLATE "C" NOT NULL,
  -- Whoever answers for it: who planned it, or took it over.
  author_kind text COLLATE "C" NOT NULL,
  author_id text COLLATE "C" NOT NULL,
  -- What the author's token allowed.
  author_scopes text[] COLLATE "C" NOT NULL,
  approver_kind text COLLATE "C",
  approver_id text COLLATE "C",
  canceller_kind text COLLATE "C",
  canceller_id text COLLATE "C",
  -- The options of the call, by its kind.
  options json NOT NULL,
  CONSTRAINT planned_calls__call_id PRIMARY KEY (call_id)
);
CREATE INDEX planned_calls__due_at ON planned_calls (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX planned_calls__expires_at ON planned_calls (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE planned_items (
  id uuid NOT NULL,
  call_id uuid NOT NULL,
  position integer NOT NULL,
  -- The user it changes according to the preview; null if it creates one, or fails.
  user_serial uuid,
  employee_id text COLLATE "C",
  -- As parsed, without the password.
  item json NOT NULL,
  -- The outcome in the preview.
  preview json NOT NULL,
  -- The given password, encrypted.
  secret bytea,
  secret_key_id text,
  CONSTRAINT planned_items__id PRIMARY KEY (id),
  CONSTRAINT planned_items__call_id_position UNIQUE (call_id, position),
  CONSTRAINT planned_items__planned_calls FOREIGN KEY (call_id) REFERENCES planned_calls (call_id) ON DELETE CASCADE
);
CREATE INDEX planned_items__user_serial ON planned_items (user_serial) WHERE user_serial IS NOT NULL;
CREATE INDEX planned_items__secret_key_id ON planned_items (secret_key_id) WHERE secret IS NOT NULL;
