import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { receiverToken, type ScimReceiver, startScimReceiver } from './scim-receiver.js';
import { newId, type TestService } from './service.js';

export interface GivenTarget {
  readonly id: string;
  readonly path: string;
}

/** Selects users by a tag of their own, so that those of other tests are not pushed. */
export async function givenTarget(
  service: TestService,
  settings: Record<string, unknown> = {},
  whenFinished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<{ receiver: ScimReceiver; target: GivenTarget; tag: string }> {
  const receiver = await startScimReceiver(whenFinished);
  const tag = newId('T');
  const reply = await service.post('/service/scim/targets', {
    name: 'Wiki',
    url: receiver.url,
    token: receiverToken,
    tagSerials: [tag],
    requestsPerSecond: 100,
    ...settings,
  });
  if (reply.status !== 201) throw new Error(`the target was not created: ${reply.text}`);
  const { id } = reply.json.data;
  const target = { id, path: `/service/scim/targets/${id}` };
  whenFinished(async () => {
    await service.request('DELETE', target.path);
  });
  return { receiver, target, tag };
}

/** A service without targets looks for new ones only every two seconds. With one, it looks all the time. */
export function keepsLookingForTargets(service: TestService): void {
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    await givenTarget(service, {}, (end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
export async function targetNow(service: TestService, { path }: GivenTarget): Promise<any> {
  return (await service.get(path)).json.data;
}
