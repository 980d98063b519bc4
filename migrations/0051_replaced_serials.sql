-- Which serial took the place of which, if a call renamed an organization or a tag, or merged two.
ALTER TABLE calls
  ADD COLUMN replaced_serial text COLLATE "C",
  ADD COLUMN replacement_serial text COLLATE "C";
