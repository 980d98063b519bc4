import { expect, test } from 'vitest';
import { newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

test('roles and last sign-ins are added to a page on request, as far as the caller may see them', async () => {
  const tag = newId('T');
  const [viewer, other] = [
    await givenSignedInUser(service, 'viewer'),
    await service.givenUser({ tagSerials: [tag] }),
  ];
  await service.request('PATCH', `/service/users/${viewer.serial}`, { body: { tagSerials: [tag] } });
  const list = async (query = '', token?: string) => {
    const reply = await service.get(`/service/users?tagSerial=${tag}${query}`, token ? { token } : {});
    // biome-ignore lint/suspicious/noExplicitAny: as sent
    return new Map(reply.json.data.items.map((user: any) => [user.serial, user]));
  };
  const seen = await list('&access=true');
  expect(seen.get(viewer.serial)).toMatchObject({
    role: 'viewer',
    lastSignInAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(seen.get(other.serial)).toMatchObject({ role: null, lastSignInAt: null });

  const byViewer = (await list('&access=true', viewer.token)).get(viewer.serial);
  expect(byViewer).toMatchObject({ role: 'viewer' });
  expect(byViewer).not.toHaveProperty('lastSignInAt');
  expect((await list()).get(viewer.serial)).not.toHaveProperty('role');
});
