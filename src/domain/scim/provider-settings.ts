import { defaultSettings, type ProviderSettings } from '../../scim/provider-settings.js';
import type { Database } from '../../storage/database.js';
import { getProvider } from '../../storage/scim/providers.js';
import { BoundedMap } from '../bounded-map.js';

/** How long a node may take to notice a change of the settings. */
const settingsFreshMs = 3_000;
const cachedMax = 1_000;

interface SettingsRead {
  readonly settings: Promise<ProviderSettings>;
  readonly readAtMs: number;
}

const reads = new WeakMap<Database, BoundedMap<SettingsRead>>();

/** The settings of a provider, or the defaults. Every request needs them, so they are cached for a few seconds. */
export function providerSettingsOf(database: Database, clientId: string): Promise<ProviderSettings> {
  const cached = cacheOf(database);
  const known = cached.get(clientId);
  if (known && Date.now() - known.readAtMs < settingsFreshMs) return known.settings;
  const settings = readSettings(database, clientId);
  cached.set(clientId, { settings, readAtMs: Date.now() });
  settings.catch(() => cached.delete(clientId));
  return settings;
}

/** Makes this node read them again immediately. */
export function forgetSettings(database: Database, clientId: string): void {
  cacheOf(database).delete(clientId);
}

async function readSettings({ pool }: Database, clientId: string): Promise<ProviderSettings> {
  return (await getProvider(pool, clientId)) ?? defaultSettings(clientId);
}

function cacheOf(database: Database): BoundedMap<SettingsRead> {
  let cached = reads.get(database);
  if (!cached) {
    cached = new BoundedMap(cachedMax);
    reads.set(database, cached);
  }
  return cached;
}
