import { afterAll, beforeAll } from 'vitest';
import { type TestService, useService } from './service.js';

/** The time zone matters only to statistics; the setting keeps this service apart from the one that other tests share. */
export const playgroundTimeZone = 'Asia/Kolkata';

/** A service whose users are replaced all the time. One per worker: starting it takes seconds on the embedded database. */
export function usePlayground(): TestService {
  return useService({ ROLLCALL_TIME_ZONE: playgroundTimeZone });
}

/** The same, but only the test indexes: the service's own indexer leaves short backlogs alone while a bulk call is running. */
export function useUnindexedPlayground(): TestService {
  const service = usePlayground();
  beforeAll(() => {
    service.context.bulkCalls.running++;
  });
  afterAll(() => {
    service.context.bulkCalls.running--;
  });
  return service;
}
