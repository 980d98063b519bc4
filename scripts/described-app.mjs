import { pino } from 'pino';
import { limitDefaults } from '../dist/contract/limits.js';
import { Readiness } from '../dist/domain/maintenance/readiness.js';
import { RateLimiter } from '../dist/domain/rate-limiter.js';
import { buildApp } from '../dist/http/app.js';

/** The app without a database, for generating the API description from its routes. */
export async function describedApp() {
  const app = await buildApp({
    context: { database: undefined, limits: limitDefaults, initialPasswords: {} },
    access: { issuer: 'https://rollcall.example.com' },
    trustedProxies: [],
    servesDocs: true,
    securityContact: undefined,
    givenUrl: undefined,
    readiness: new Readiness(),
    limiter: new RateLimiter(),
    logger: pino({ level: 'silent' }),
  });
  await app.ready();
  return app;
}
