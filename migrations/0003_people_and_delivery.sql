-- What people may do. Apart from users: few people have a role, and bulk updates rewrite the rows of users.
CREATE TABLE roles (
  user_serial uuid NOT NULL,
  role text NOT NULL,
  CONSTRAINT roles__user_serial PRIMARY KEY (user_serial),
  CONSTRAINT roles__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE,
  CONSTRAINT roles__role CHECK (role IN ('viewer', 'operator', 'administrator'))
);

INSERT INTO roles (user_serial, role)
  SELECT serial, 'administrator' FROM users WHERE employee_id = 'admin' AND EXISTS (SELECT FROM installation);

-- An initial password that nobody used in time is worth nothing; without a time it stays good.
ALTER TABLE credentials ADD COLUMN expires_at timestamptz;
-- Another one for each password. The hash would not do: it changes too when the same password is hashed anew.
ALTER TABLE credentials ADD COLUMN password_id uuid NOT NULL DEFAULT gen_random_uuid();

-- People who are signed in. The token is random and long, so its plain SHA-256 is enough to know it again.
CREATE TABLE sessions (
  token_hash text COLLATE "C" NOT NULL,
  user_serial uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT sessions__token_hash PRIMARY KEY (token_hash),
  CONSTRAINT sessions__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE
);
CREATE INDEX sessions__user_serial ON sessions (user_serial);

-- How often a name or an address failed to sign in, counted before the password is looked at. The key is a hash: what
-- people type as a name is sometimes their password.
CREATE TABLE sign_in_guards (
  key text COLLATE "C" NOT NULL,
  failures integer NOT NULL,
  last_at timestamptz NOT NULL,
  -- Until then no further attempt is looked at.
  open_at timestamptz NOT NULL,
  -- The attempt that was counted last: how a caller learns whether it was its own.
  attempt uuid NOT NULL,
  CONSTRAINT sign_in_guards__key PRIMARY KEY (key)
);
CREATE INDEX sign_in_guards__last_at ON sign_in_guards (last_at);

-- Secrets of clients, in a table of their own now: while one is rotated two are good, and the older one ends by itself.
CREATE TABLE client_secrets (
  client_id text COLLATE "C" NOT NULL,
  secret_hash text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  CONSTRAINT client_secrets__client_id_secret_hash PRIMARY KEY (client_id, secret_hash),
  CONSTRAINT client_secrets__clients FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
);
INSERT INTO client_secrets (client_id, secret_hash, created_at)
  SELECT DISTINCT id, unnest(secret_hashes), created_at FROM clients;
ALTER TABLE clients DROP COLUMN secret_hashes;

-- Passwords on their way to people. There is no foreign key to users: it would cost every create a look at a row that
-- the same statement has just written, and a user is never deleted.
CREATE TABLE deliveries (
  id uuid NOT NULL,
  user_serial uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it is due. A node that claims it moves this on, so that it is due again if the node dies.
  next_at timestamptz NOT NULL DEFAULT now(),
  -- While a node is sending it.
  claimed_until timestamptz,
  sent_at timestamptz,
  -- Counts the claims; a node may write only while the count is the one of its own claim.
  claims integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  -- 0 for a single user, 1 for one of a bulk call: who asked for one password does not wait behind ten thousand.
  priority smallint NOT NULL,
  kind text NOT NULL,
  -- waiting, held (until released), dormant (until the user is active), sent, parked (all attempts failed), cancelled
  state text NOT NULL,
  channel text,
  request_id text,
  last_error text,
  -- A given password, encrypted with a key that is not in the database, until it is sent.
  secret bytea,
  secret_key_id text,
  CONSTRAINT deliveries__id PRIMARY KEY (id)
);
CREATE INDEX deliveries__due ON deliveries (priority, next_at) WHERE state = 'waiting';
CREATE INDEX deliveries__user_serial ON deliveries (user_serial, id);

-- One row: how many messages may go out now, over all nodes.
CREATE TABLE delivery_pace (
  id boolean NOT NULL DEFAULT true,
  allowance double precision NOT NULL DEFAULT 1,
  refilled_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT delivery_pace__id PRIMARY KEY (id),
  CONSTRAINT delivery_pace__one_row CHECK (id)
);
INSERT INTO delivery_pace DEFAULT VALUES;

-- Who got in, who did not, and who changed what others may do. Never a secret.
CREATE TABLE access_events (
  id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  kind text COLLATE "C" NOT NULL,
  actor_kind text,
  actor_id text,
  user_serial uuid,
  client_id text,
  address text,
  request_id text,
  detail jsonb,
  CONSTRAINT access_events__id PRIMARY KEY (id)
);
CREATE INDEX access_events__user_serial ON access_events (user_serial, id) WHERE user_serial IS NOT NULL;
