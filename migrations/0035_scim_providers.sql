-- How each identity provider is served (docs/scim.md). Without a row, the defaults apply. No foreign key: whoever has the
-- scope is a provider, also the bearer of an external issuer's token.
CREATE TABLE scim_providers (
  client_id text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Until when more deactivations than usual are allowed, and how many more.
  allowed_until timestamptz,
  -- When people were last told that the limit is reached.
  limit_noticed_at timestamptz,
  allowed_more integer NOT NULL DEFAULT 0,
  -- How many percent of the active users it may deactivate within a day; 0 means any number.
  deactivation_percent integer NOT NULL,
  -- okta, entra, other
  kind text COLLATE "C" NOT NULL,
  -- deactivate, erase
  on_delete text COLLATE "C" NOT NULL,
  -- Where the employee ID of a user without an employee number comes from: reject, externalId, generate
  employee_id text COLLATE "C" NOT NULL,
  -- all, own
  visible_users text COLLATE "C" NOT NULL,
  -- ignore, reject
  unknown_attributes text COLLATE "C" NOT NULL,
  CONSTRAINT scim_providers__client_id PRIMARY KEY (client_id)
);

-- How many users a provider has deactivated when, for the limit per day.
CREATE TABLE scim_deactivations (
  client_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  users integer NOT NULL
);
CREATE INDEX scim_deactivations__client_id_at ON scim_deactivations (client_id, at);

-- The last requests of each provider, without personal data.
CREATE TABLE scim_requests (
  id uuid NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  status smallint NOT NULL,
  operation text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C",
  -- The serial of a user or tag.
  resource_id text COLLATE "C",
  scim_type text COLLATE "C",
  error_code text COLLATE "C",
  -- The names of attributes that were sent and not stored.
  ignored_attributes text[] NOT NULL,
  CONSTRAINT scim_requests__client_id_id PRIMARY KEY (client_id, id)
);

-- Long-lived tokens of clients, for providers without OAuth. They are random and long, so a plain SHA-256 is enough.
CREATE TABLE client_tokens (
  id uuid NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  name text NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  CONSTRAINT client_tokens__id PRIMARY KEY (id),
  CONSTRAINT client_tokens__token_hash UNIQUE (token_hash),
  CONSTRAINT client_tokens__clients FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
);
CREATE INDEX client_tokens__client_id ON client_tokens (client_id, id);
