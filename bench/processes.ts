import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres } from '../test/support/postgres-server.js';
import { Service, type ServiceOptions } from './service.js';

export { Service, type ServiceOptions } from './service.js';

export interface Bench {
  /** A new PostgreSQL with default settings: every commit is flushed to disk. */
  readonly databaseUrl: string;
  startService(options?: ServiceOptions): Promise<Service>;
}

/** Runs the work with a new PostgreSQL. Whatever ends it, an error or Ctrl-C, no processes or files are left behind. */
export async function withPostgres(work: (bench: Bench) => Promise<void>): Promise<void> {
  // Everything goes into one folder. PostgreSQL may run as another user, who needs access to it.
  const home = mkdtempSync(join(tmpdir(), 'rc-'));
  chmodSync(home, 0o711);
  process.env.TMPDIR = home;

  const services: Service[] = [];
  const starting = startPostgres([]);
  let cleaned: Promise<void> | undefined;
  const cleanUp = () => {
    cleaned ??= (async () => {
      await Promise.all(services.map((service) => service.stop()));
      await starting.then(
        (server) => server.stop(),
        () => {},
      );
      rmSync(home, { recursive: true, force: true });
    })();
    return cleaned;
  };

  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    void cleanUp();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const { url } = await starting;
    await work({
      databaseUrl: url,
      startService: async (options = {}) => {
        const port = await freePort();
        if (interrupted) throw new Error('interrupted'); // nothing would stop what starts after the cleanup
        const { databaseUrl = url } = options;
        const service = Service.start(databaseUrl, port, mkdtempSync(join(home, 'data-')), options);
        services.push(service);
        await service.ready();
        return service;
      },
    });
  } catch (error) {
    if (!interrupted) throw error;
  } finally {
    await cleanUp();
    if (interrupted) process.exit(130);
  }
}
