-- Sign-ins at the company's identity provider that have begun. Only the browser that began one can finish it, and only once.
CREATE TABLE provider_sign_ins (
  state_hash bytea CONSTRAINT provider_sign_ins__state_hash PRIMARY KEY,
  browser_hash bytea NOT NULL,
  -- The session that the browser has. It is proven again, or replaced.
  session_id uuid,
  is_proof boolean NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now()
);

-- What the provider calls a session and its user when it ends them.
ALTER TABLE sessions
  ADD COLUMN provider_sid text COLLATE "C",
  ADD COLUMN provider_subject text COLLATE "C";

-- Each logout token counts once.
CREATE TABLE provider_logouts (
  id_hash bytea CONSTRAINT provider_logouts__id_hash PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- The latest link to choose a new password that was sent to a user.
CREATE TABLE password_links (
  user_serial uuid CONSTRAINT password_links__user_serial PRIMARY KEY REFERENCES users (serial) ON DELETE CASCADE,
  token_hash bytea NOT NULL CONSTRAINT password_links__token_hash UNIQUE,
  delivery_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
