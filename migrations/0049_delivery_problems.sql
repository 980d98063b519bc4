-- Why a message could not be sent, as a code, with what the mail server or the SMS gateway gave as the cause: the console says
-- it in the language of the user. The sentence stays for callers.
ALTER TABLE deliveries
  ADD COLUMN last_problem text COLLATE "C",
  ADD COLUMN last_problem_code text COLLATE "C";
