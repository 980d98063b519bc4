/**
 * The service with token checks, or without if TOKEN_CHECK=off: every caller then counts as a client with all
 * permissions. Both variants are started by this file, so that nothing else differs.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Scope } from '../src/contract/scopes.js';

/** The built files, which the service that it is compared with runs, too. */
const built = <T>(file: string): Promise<T> => import(pathToFileURL(resolve('dist', file)).href);

const { readConfig } = await built<typeof import('../src/config.js')>('config.js');
const { scopes } = await built<typeof import('../src/contract/scopes.js')>('contract/scopes.js');
const { createAccess } =
  await built<typeof import('../src/domain/access/access.js')>('domain/access/access.js');
const { RateLimiter } = await built<typeof import('../src/domain/rate-limiter.js')>('domain/rate-limiter.js');
const { Readiness } = await built<typeof import('../src/domain/maintenance/readiness.js')>(
  'domain/maintenance/readiness.js',
);
const { buildApp } = await built<typeof import('../src/http/app.js')>('http/app.js');
const { createLogger } = await built<typeof import('../src/logger.js')>('logger.js');
const { createContext } =
  await built<typeof import('../src/startup/create-context.js')>('startup/create-context.js');
const { openDatabase } =
  await built<typeof import('../src/storage/open-database.js')>('storage/open-database.js');

const config = readConfig(process.env);
const context = createContext(config, await openDatabase(config));
const access = createAccess(context.database, context.cipher, {
  issuer: config.publicUrl,
  lifetimeSeconds: config.tokenLifetimeSeconds,
  externalIssuers: [],
  sessionIdleSeconds: 7_200,
  onIssuerFailure: () => {},
});
const actor = { kind: 'client', id: 'anybody', scopes: new Set<Scope>(scopes) } as const;
const unchecked = async () => ({ ok: true, actor }) as const;
const readiness = new Readiness();
readiness.state = 'ready';
const app = await buildApp({
  context,
  access: process.env.TOKEN_CHECK === 'off' ? { ...access, authenticate: unchecked } : access,
  readiness,
  limiter: new RateLimiter(),
  logger: createLogger(config),
  trustedProxies: [],
  servesDocs: false,
  securityContact: undefined,
  givenUrl: undefined,
  corsOrigins: [],
});
await app.listen({ host: config.host, port: config.port });
process.on('SIGTERM', () => process.exit());
