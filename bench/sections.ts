import { access } from './sections/access.js';
import { backup } from './sections/backup.js';
import { bulk } from './sections/bulk.js';
import { creates } from './sections/creates.js';
import { embedded } from './sections/embedded.js';
import { events } from './sections/events.js';
import { feeds } from './sections/feeds.js';
import { growth } from './sections/growth.js';
import { history } from './sections/history.js';
import { hostile } from './sections/hostile.js';
import { lean } from './sections/lean.js';
import { loop } from './sections/loop.js';
import { memory } from './sections/memory.js';
import { metrics } from './sections/metrics.js';
import { reading } from './sections/reading.js';
import { searchable } from './sections/searchable.js';
import { searching } from './sections/searching.js';
import { sync } from './sections/sync.js';
import { workers } from './sections/workers.js';
import type { RunSection } from './stage.js';

/**
 * In the order in which they run and appear in the report. Feeds, history, growth and sync come after reading, because
 * they change its table, and feeds before the rest, because it needs the phones as they were filled.
 */
export const sections: Readonly<Record<string, RunSection>> = {
  bulk,
  lean,
  creates,
  metrics,
  loop,
  hostile,
  reading,
  searching,
  searchable,
  feeds,
  history,
  growth,
  sync,
  memory,
  workers,
  embedded,
  backup,
  access,
  events,
};
