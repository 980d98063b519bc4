-- What users prove besides their password: passkeys, and authenticator apps that show codes (TOTP).
CREATE TABLE factors (
  id uuid NOT NULL,
  user_serial uuid NOT NULL REFERENCES users (serial) ON DELETE CASCADE,
  kind text NOT NULL COLLATE "C",
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  -- Null until the user has entered the first code of an app.
  confirmed_at timestamptz,
  -- Of an app: its encrypted secret, and the time step of the last code that was accepted, which works only once.
  secret bytea,
  secret_key_id text COLLATE "C",
  last_step bigint,
  -- Of a passkey.
  credential_id text COLLATE "C",
  public_key bytea,
  counter bigint,
  transports text NOT NULL DEFAULT '' COLLATE "C",
  CONSTRAINT factors__id PRIMARY KEY (id)
);
ALTER TABLE factors ADD CONSTRAINT factors__credential_id UNIQUE (credential_id);
CREATE INDEX factors__user_serial ON factors (user_serial);

-- Random texts that passkeys sign, each once.
CREATE TABLE factor_challenges (
  challenge text NOT NULL COLLATE "C",
  -- Who registers a passkey. Null at a sign-in, where nobody is known yet.
  user_serial uuid REFERENCES users (serial) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  CONSTRAINT factor_challenges__challenge PRIMARY KEY (challenge)
);

-- One-time codes for users who have lost their factors.
CREATE TABLE recovery_codes (
  user_serial uuid NOT NULL REFERENCES users (serial) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes__user_serial__code_hash PRIMARY KEY (user_serial, code_hash)
);

-- A session that was opened with a password alone is restricted until its user has given a factor, or has added one
-- if the company requires it.
ALTER TABLE sessions
  ADD COLUMN factor_given_at timestamptz,
  ADD COLUMN must_enrol boolean NOT NULL DEFAULT false;
