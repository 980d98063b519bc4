-- The change log: one row for each user that a transaction changed, written by that transaction. The audit trail, a
-- user's history, undo and events all read it.
CREATE SEQUENCE change_numbers;

CREATE TABLE changes (
  -- The order of changes of one user is the order of their numbers, since a number is drawn while the user is locked.
  -- Over all users it is not the order of commits: whoever follows the log has to mind that (see storage/change-horizon).
  seq bigint NOT NULL DEFAULT nextval('change_numbers'),
  at timestamptz NOT NULL DEFAULT now(),
  -- Without a user it is the row of a bulk call that was completed.
  user_serial uuid,
  call_id uuid,
  -- Of the user, once changed; of one who was removed, as it was.
  version integer,
  employee_id text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  actor_kind text COLLATE "C",
  actor_id text COLLATE "C",
  request_id text COLLATE "C",
  -- {"name": {"before": …, "after": …}}, or the counts of a call. Kept as text and never looked into by SQL: it goes
  -- out as it came in.
  fields json NOT NULL,
  CONSTRAINT changes__seq PRIMARY KEY (seq)
);
CREATE INDEX changes__user_serial ON changes (user_serial, seq) WHERE user_serial IS NOT NULL;
CREATE INDEX changes__call_id ON changes (call_id, seq) WHERE call_id IS NOT NULL;

-- One row: up to which number the log was pruned.
CREATE TABLE change_log (
  id boolean NOT NULL DEFAULT true,
  pruned_to bigint NOT NULL DEFAULT 0,
  CONSTRAINT change_log__id PRIMARY KEY (id),
  CONSTRAINT change_log__one_row CHECK (id)
);
INSERT INTO change_log DEFAULT VALUES;

-- Bulk calls.
CREATE TABLE calls (
  id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  -- While a node is at it. Whoever goes on with a call that was left raises the claim, and only the last may write.
  claimed_until timestamptz,
  -- The call that this one undoes.
  undoes uuid,
  claim integer NOT NULL DEFAULT 1,
  items integer NOT NULL,
  succeeded integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  -- How many rows of the change log it wrote.
  changes integer NOT NULL DEFAULT 0,
  kind text COLLATE "C" NOT NULL,
  -- running, completed, interrupted
  state text COLLATE "C" NOT NULL,
  actor_kind text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  CONSTRAINT calls__id PRIMARY KEY (id)
);
CREATE INDEX calls__undoes ON calls (undoes) WHERE undoes IS NOT NULL;

-- Keys of callers who may have to send a request twice.
CREATE TABLE idempotency_keys (
  actor text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Of the request: the same key with another one is a mistake.
  fingerprint text COLLATE "C" NOT NULL,
  -- Of a bulk call, whose answer is in its parts; or the answer itself, to a create.
  call_id uuid,
  answer json,
  CONSTRAINT idempotency_keys__actor_key PRIMARY KEY (actor, key)
);
CREATE INDEX idempotency_keys__created_at ON idempotency_keys (created_at);

-- What each transaction of a call that came with a key answered, written by that transaction: sent again, the call
-- goes on where it was left.
CREATE TABLE call_parts (
  call_id uuid NOT NULL,
  first_item integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  outcomes json NOT NULL,
  -- Who took which name, for the items that follow.
  memory json NOT NULL,
  CONSTRAINT call_parts__call_id_first_item PRIMARY KEY (call_id, first_item),
  CONSTRAINT call_parts__calls FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
);
CREATE INDEX call_parts__created_at ON call_parts (created_at);

-- Who is told of changes.
CREATE TABLE webhooks (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Everything up to this number was delivered.
  position bigint NOT NULL,
  -- The last number of the message that is being tried: a further attempt is at the same message.
  sending_to bigint,
  next_at timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz,
  failing_since timestamptz,
  delivered_at timestamptz,
  disabled_at timestamptz,
  -- Counts the claims; a node may write only while the count is the one of its own claim.
  claims integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  url text NOT NULL,
  description text NOT NULL,
  batch_max integer NOT NULL,
  event_types text[] COLLATE "C" NOT NULL,
  disabled_because text,
  last_error text,
  CONSTRAINT webhooks__id PRIMARY KEY (id)
);

-- They sign what is sent, so they must be known in clear then: encrypted with a key that is not in the database.
CREATE TABLE webhook_secrets (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  secret bytea NOT NULL,
  secret_key_id text NOT NULL,
  CONSTRAINT webhook_secrets__id PRIMARY KEY (id),
  CONSTRAINT webhook_secrets__webhooks FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
);
CREATE INDEX webhook_secrets__webhook_id ON webhook_secrets (webhook_id);
