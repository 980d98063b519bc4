-- Machine clients. Secrets are random and long, so a plain SHA-256 is enough to keep them; several may be valid at
-- once while one is being rotated.
CREATE TABLE clients (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  secret_hashes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  CONSTRAINT clients__id PRIMARY KEY (id)
);

-- The keys that sign access tokens. A retired key signs nothing new but is published until its tokens have ended.
CREATE TABLE signing_keys (
  kid text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz,
  private_jwk jsonb NOT NULL,
  CONSTRAINT signing_keys__kid PRIMARY KEY (kid)
);

-- One row, made by whichever node started first: the mark that the first start is done.
CREATE TABLE installation (
  id boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT installation__id PRIMARY KEY (id),
  CONSTRAINT installation__one_row CHECK (id)
);
