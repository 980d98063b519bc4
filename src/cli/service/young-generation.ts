import { setFlagsFromString } from 'node:v8';
import { ownsProcess } from '../host.js';

/**
 * Loading the service leaves so much garbage behind that V8 grows the young generation to its full size and keeps it:
 * 20 MB that an idle service does not need. Limited during loading, it grows only when requests need it.
 */
export async function withSmallYoungGeneration<T>(load: () => Promise<T>): Promise<T> {
  if (!ownsProcess()) return load();
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return await load();
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2'); // V8's default
  }
}
