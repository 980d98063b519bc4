-- Messages know who requested them. If somebody else, who could not have reset the password, changes the address that it
-- goes to, the message is held. Rows without a requester are from before this migration.
ALTER TABLE deliveries
  ADD COLUMN actor_kind text COLLATE "C",
  ADD COLUMN actor_id text COLLATE "C",
  -- Why it is held: requested (deliver=hold) or addressChanged.
  ADD COLUMN held_reason text COLLATE "C",
  -- Of a notice (account-changed): what changed, separated by spaces, and the address from before the change.
  ADD COLUMN changed text COLLATE "C",
  ADD COLUMN to_email text,
  ADD COLUMN to_phone text;

UPDATE deliveries SET held_reason = 'requested' WHERE state = 'held';
