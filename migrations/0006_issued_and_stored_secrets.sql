-- A token carries the generation in which it was issued; those of an earlier one are not valid. Raised whenever all
-- tokens of a client have to end. Tokens of before have none, which counts as 0.
ALTER TABLE clients ADD COLUMN token_generation integer NOT NULL DEFAULT 0;

-- Single tokens that were revoked, until they would have expired.
CREATE TABLE revoked_tokens (
  client_id text COLLATE "C" NOT NULL,
  token_id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT revoked_tokens__client_id_token_id PRIMARY KEY (client_id, token_id),
  CONSTRAINT revoked_tokens__clients FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
);
CREATE INDEX revoked_tokens__expires_at ON revoked_tokens (expires_at);

-- With ROLLCALL_SECRET_KEY set, the private part of a signing key ("d") is here, encrypted, and private_jwk holds the
-- public part alone. A retired key signs nothing, so it needs no private part at all.
ALTER TABLE signing_keys ADD COLUMN secret bytea;
ALTER TABLE signing_keys ADD COLUMN secret_key_id text COLLATE "C";
UPDATE signing_keys SET private_jwk = private_jwk - 'd' WHERE retired_at < now() - interval '1 minute';

-- The keys that were set as ROLLCALL_SECRET_KEY, by their IDs. What is encrypted with one of them must not be given up
-- because a node was started without it; what is encrypted with another key is a matter of the node that made it.
CREATE TABLE secret_keys (
  id text COLLATE "C" NOT NULL,
  first_used_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT secret_keys__id PRIMARY KEY (id)
);

-- What is encrypted is counted at each start, and gone through after a change of the key.
CREATE INDEX deliveries__secret_key_id ON deliveries (secret_key_id) WHERE secret IS NOT NULL;
