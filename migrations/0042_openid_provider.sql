-- The company's applications, whose users sign in here (docs/decisions/0049-openid-provider.md).
CREATE TABLE applications (
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  access_token_seconds integer NOT NULL,
  refresh_token_days integer NOT NULL,
  -- Runs in a browser or on a device, so it can keep no secret.
  is_public boolean NOT NULL,
  name text NOT NULL,
  redirect_uris text[] COLLATE "C" NOT NULL,
  post_logout_uris text[] COLLATE "C" NOT NULL,
  scopes text[] COLLATE "C" NOT NULL,
  -- Keys of the attributes that the scope employee includes.
  attribute_keys text[] COLLATE "C" NOT NULL,
  -- Empty: all.
  organization_serials text[] COLLATE "C" NOT NULL,
  tag_serials text[] COLLATE "C" NOT NULL,
  CONSTRAINT applications__id PRIMARY KEY (id)
);
CREATE UNIQUE INDEX applications__name ON applications (lower(name));

CREATE TABLE application_secrets (
  application_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz,
  secret_hash text COLLATE "C" NOT NULL,
  CONSTRAINT application_secrets__application_id_secret_hash PRIMARY KEY (application_id, secret_hash),
  CONSTRAINT application_secrets__applications FOREIGN KEY (application_id) REFERENCES applications (id) ON DELETE CASCADE
);

-- Grants, codes, tokens, interactions and browser sessions of the OpenID provider. Whoever reads the table can use none
-- of them: what a browser or an application presents is stored as a hash.
CREATE TABLE openid_states (
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- A code or refresh token that comes back is a copy.
  consumed_at timestamptz,
  -- Of a grant: when a token was last issued for it.
  used_at timestamptz,
  user_serial uuid,
  application_id uuid,
  -- The session in which the user signed in. It may have expired: then only what it has granted goes on.
  session_id uuid,
  kind text COLLATE "C" NOT NULL,
  id_hash text COLLATE "C" NOT NULL,
  grant_hash text COLLATE "C",
  uid_hash text COLLATE "C",
  -- JSON as text: jsonb can't contain NUL, which anyone may send in a parameter.
  payload text NOT NULL,
  CONSTRAINT openid_states__kind_id_hash PRIMARY KEY (kind, id_hash),
  CONSTRAINT openid_states__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE,
  CONSTRAINT openid_states__applications FOREIGN KEY (application_id) REFERENCES applications (id) ON DELETE CASCADE
);
CREATE INDEX openid_states__user_serial ON openid_states (user_serial) WHERE user_serial IS NOT NULL;
CREATE INDEX openid_states__application_id ON openid_states (application_id) WHERE application_id IS NOT NULL;
CREATE INDEX openid_states__session_id ON openid_states (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX openid_states__grant_hash ON openid_states (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX openid_states__uid_hash ON openid_states (uid_hash) WHERE uid_hash IS NOT NULL;
CREATE INDEX openid_states__expires_at ON openid_states (expires_at);

-- What ID tokens are signed with. Retired keys are published for a while, to verify what they signed.
CREATE TABLE openid_keys (
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz,
  kid text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  -- The private part.
  secret bytea NOT NULL,
  secret_key_id text COLLATE "C" NOT NULL,
  CONSTRAINT openid_keys__kid PRIMARY KEY (kid)
);

-- Contacts whose user has entered the code that was sent to them: applications may rely on these.
CREATE TABLE confirmed_contacts (
  user_serial uuid NOT NULL,
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  field text COLLATE "C" NOT NULL,
  value text NOT NULL,
  CONSTRAINT confirmed_contacts__user_serial_field PRIMARY KEY (user_serial, field),
  CONSTRAINT confirmed_contacts__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE
);
