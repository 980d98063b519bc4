import { optionalText, wholeNumber } from '../kinds.js';

export const feedSettings = {
  feedsAtOnce: wholeNumber(
    'ROLLCALL_FEEDS_AT_ONCE',
    2,
    0,
    16,
    'Runs of feeds that this node works on concurrently. 0 leaves them to other nodes.',
  ),
  feedDir: optionalText(
    'ROLLCALL_FEED_DIR',
    'directory',
    'The folder whose files feeds can read. Unset: `feeds` in the data directory.',
  ),
  feedFileMaxMb: wholeNumber(
    'ROLLCALL_FEED_FILE_MAX_MB',
    1_024,
    1,
    10_240,
    'The largest file that a feed reads, in megabytes.',
  ),
  feedFilesDays: wholeNumber(
    'ROLLCALL_FEED_FILES_DAYS',
    14,
    0,
    3_650,
    'Days to keep the files of feeds, so that runs can be replayed. 0 deletes each file within an hour of the end of its run.',
  ),
} as const;
