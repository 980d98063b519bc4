import fc from 'fast-check';
import { csvOf } from './feeds.js';
import { aUser, newId, type TestService } from './service.js';

const people = 6;
const name = fc.constantFrom('Ada', 'Grace', 'Alan');
export const before = fc.array(fc.record({ name, isActive: fc.boolean() }), {
  minLength: people,
  maxLength: people,
});
export const row = fc.record({
  person: fc.nat(people + 2),
  name,
  isActive: fc.constantFrom('true', 'false', '', 'perhaps'),
  email: fc.constantFrom('', 'one@example.com', 'no address'),
  renamedFrom: fc.option(fc.nat(people + 2), { nil: undefined }),
});
export const rows = fc.array(row, { minLength: 1, maxLength: 8 });

/** Users with employee IDs of their own, and a file about them. */
export async function copyOf(
  service: TestService,
  users: readonly { name: string; isActive: boolean }[],
  file: readonly Row[],
) {
  const ids = Array.from({ length: people + 3 }, () => newId());
  const items = users.map((user, at) => aUser({ ...user, employeeID: ids[at] }));
  await service.createBulk(items);
  const idOf = (person: number | undefined) => (person === undefined ? '' : (ids[person] ?? ''));
  const content = csvOf(
    file.map(({ person, renamedFrom, ...fields }) => ({
      ...{ employeeID: idOf(person), renamedFrom: idOf(renamedFrom) },
      ...fields,
    })),
  );
  /** The users by person, without what differs between copies. */
  const state = async () => {
    const found = (await service.post('/service/users/lookup', { employeeIDs: ids })).json.data.items;
    return found
      .map(({ employeeID, name, isActive, email }: Record<string, unknown>) => ({
        ...{ person: ids.indexOf(String(employeeID)), name, isActive, email },
      }))
      .sort((a: { person: number }, b: { person: number }) => a.person - b.person);
  };
  return { content, state };
}

type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;
