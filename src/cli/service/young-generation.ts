import { setFlagsFromString } from 'node:v8';

/**
 * Loading and wiring the code of the service leaves so much garbage behind that V8 grows the space for young objects to
 * its full size and keeps it, 20 MB that an idle service has no use for. Held back while it loads, that space grows once
 * calls need it.
 */
export async function withSmallYoungGeneration<T>(load: () => Promise<T>): Promise<T> {
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return await load();
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2'); // V8's own default
  }
}
