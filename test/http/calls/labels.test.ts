import { describe, expect, test } from 'vitest';
import { callIdOf, readCall } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { later } from '../../support/planned-calls.js';
import { anItem, aUser, newId, useService } from '../../support/service.js';

const service = useService();
const label = `source=${encodeURIComponent(' Müller & Söhne.xlsx ')}&note=${encodeURIComponent('New names, 2026 🎉')}`;
const kept = { source: 'Müller & Söhne.xlsx', note: 'New names, 2026 🎉' };

describe('source and note of a bulk call', () => {
  test('are kept with the call, trimmed, and listed', async () => {
    const user = await service.givenUser();
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId, 'idempotency-key': newId() };
    for (const [path, item] of [
      ['create-bulk', aUser()],
      ['update-bulk', anItem(user, { name: 'Ada King' })],
      ['upsert-bulk', anItem(user, { name: 'Ada Byron' })],
    ] as const) {
      const url = `/service/users/${path}?${label}`;
      const reply = await service.post(url, { items: [item] }, { headers: { 'x-request-id': requestId } });
      expect(await readCall(service, callIdOf(reply)), path).toMatchObject(kept);
    }
    const url = `/service/users/update-bulk?${label}`;
    const withKey = await service.post(url, { items: [anItem(user)] }, { headers });
    expect(await readCall(service, callIdOf(withKey))).toMatchObject(kept);
    const { json } = await service.get(`/service/calls?requestId=${requestId}`);
    expect(json.data.items).toMatchObject([kept, kept, kept, kept]);
  });

  test('are kept with a call that finds its users itself, now or planned', async () => {
    const { employeeID } = await service.givenUser();
    const body = { filter: { employeeID }, patch: { isActive: false } };
    for (const plan of [`&effectiveAt=${later}`, '']) {
      const reply = await service.post(`/service/users/update-matching?confirm=1&${label}${plan}`, body);
      expect(await readCall(service, callIdOf(reply))).toMatchObject(kept);
    }
  });

  test('are kept with a planned call, and are null if empty', async () => {
    const user = await service.givenUser();
    const items = [anItem(user, { name: 'Ada King' })];
    const planned = await service.updateBulk(items, `?effectiveAt=${later}&${label}`);
    expect(await readCall(service, callIdOf(planned))).toMatchObject({ state: 'planned', ...kept });
    const empty = await service.updateBulk(items, '?source=&note=%20%07');
    expect(await readCall(service, callIdOf(empty))).toMatchObject({ source: null, note: null });
  });

  test.each([
    ['source', 'x'.repeat(201), /must not exceed 200 characters/],
    ['note', 'a\u0000b', /must not contain NUL characters/],
  ])('%s is rejected if it is too long or cannot be shown', async (name, text, problem) => {
    const reply = await service.updateBulk([], `?${name}=${encodeURIComponent(text)}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', problem);
  });
});
