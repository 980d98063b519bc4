-- What users with a role have chosen to be told about. Without a row, the default of the role applies.
CREATE TABLE notice_choices (
  user_serial uuid NOT NULL,
  topic text COLLATE "C" NOT NULL,
  is_wanted boolean NOT NULL,
  CONSTRAINT notice_choices__user_serial_topic PRIMARY KEY (user_serial, topic),
  CONSTRAINT notice_choices__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE
);

-- Notices that wait to be sent, one for each recipient, and those that were. Like deliveries, without a foreign key to
-- users: whoever causes a notice must not wait for changes of its recipients.
CREATE TABLE notices (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it is due. A node that claims it moves this on, so that it is due again if the node dies.
  next_at timestamptz NOT NULL DEFAULT now(),
  -- While a node is sending it.
  claimed_until timestamptz,
  sent_at timestamptz,
  -- Null for a chat.
  user_serial uuid,
  -- Counts the claims; a node may write only while the count is the one of its own claim.
  claims integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  -- How many later notices about the same topic this one stands for.
  more integer NOT NULL DEFAULT 0,
  topic text COLLATE "C" NOT NULL,
  -- email, or how the chat takes messages: slack, teams, text
  channel text COLLATE "C" NOT NULL,
  -- waiting, sent, parked (all attempts failed), cancelled (the recipient is no longer entitled to it)
  state text COLLATE "C" NOT NULL DEFAULT 'waiting',
  -- What it says. Without personal data.
  facts jsonb NOT NULL,
  last_error text,
  -- The URL of the chat, encrypted, until it is sent.
  secret bytea,
  secret_key_id text COLLATE "C",
  CONSTRAINT notices__id PRIMARY KEY (id)
);
CREATE INDEX notices__due ON notices (next_at) WHERE state = 'waiting';
CREATE INDEX notices__user_serial ON notices (user_serial, topic) WHERE user_serial IS NOT NULL;
