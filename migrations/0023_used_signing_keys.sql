-- Every node signs with a key that it can decrypt, so there are several unless the nodes share a secret key. A node that
-- is gone for good leaves its key behind: one that no node has used for a day is retired.
ALTER TABLE signing_keys ADD COLUMN used_at timestamptz NOT NULL DEFAULT now();
