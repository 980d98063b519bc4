import { type AttributeValues, parseAttributes } from '../../contract/attribute-values.js';
import type { Executor } from '../../storage/database.js';
import { type Manager, readManagers } from '../../storage/users/managers.js';
import { type Actor, maySeeSensitive } from '../caller.js';
import { loadAttributes } from './attribute-facts.js';
import { noAttributes } from './attribute-set.js';

/**
 * Everything else knows attributes by ID, managers by serial, and the data of identity providers as a text. Callers know
 * attributes by key, and not all of them see the sensitive ones.
 */
export interface Showing {
  users<User extends Stored>(users: readonly User[]): Promise<Shown<User>[]>;
  /** Without attributes if the caller may see none of those that changed. */
  fields<Fields extends Changes>(fields: Fields): Fields;
}

interface Stored {
  readonly attributes: string | null;
  readonly managerSerial: string | null;
  /** Shown by SCIM, and in the change log. */
  readonly scim?: string | null;
}
export type Shown<User> = Omit<User, keyof Stored> & {
  readonly manager: Manager | null;
  readonly attributes: Readonly<Record<string, unknown>>;
};
type Sides = { readonly before?: unknown; readonly after?: unknown };
type Changes = { readonly attributes?: Sides; readonly scim?: Sides };

/** For someone to whom users and changes are shown now. */
export async function showingTo(
  executor: Executor,
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<Showing> {
  return showing(executor, await loadAttributes(executor), maySeeSensitive(actor));
}

function showing(executor: Executor, definitions: typeof noAttributes, seesSensitive: boolean): Showing {
  const shown = (values: unknown) => definitions.shown((values ?? {}) as AttributeValues, seesSensitive);
  return {
    users: async (users) => {
      const managers = await readManagers(
        executor,
        users.flatMap(({ managerSerial }) => managerSerial ?? []),
      );
      return users.map(({ attributes, managerSerial, scim: _, ...user }) => ({
        ...user,
        manager: managerSerial === null ? null : (managers.get(managerSerial) ?? gone(managerSerial)),
        attributes: attributes === null ? {} : shown(parseAttributes(attributes)),
      }));
    },
    fields: (logged) => {
      const fields = withProvisioning(logged);
      const { attributes, ...others } = fields;
      if (attributes === undefined) return fields;
      const sides = Object.entries(attributes).map(([side, values]) => [side, shown(values)] as const);
      const isHidden = sides.every(([, values]) => Object.keys(values).length === 0);
      return (isHidden ? others : { ...others, attributes: Object.fromEntries(sides) }) as typeof fields;
    },
  };
}

function withProvisioning<Fields extends Changes>(fields: Fields): Fields {
  if (fields.scim === undefined) return fields;
  const sides = Object.entries(fields.scim).map(([side, stored]) => [
    side,
    typeof stored === 'string' ? JSON.parse(stored) : stored,
  ]);
  return { ...fields, scim: Object.fromEntries(sides) };
}

function gone(serial: string): Manager {
  return { serial, employeeID: null, name: null };
}

/** Reads the definitions only if a user has attributes. */
export async function showUsers<User extends Stored>(
  executor: Executor,
  users: readonly User[],
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<Shown<User>[]> {
  const isPlain = users.every(({ attributes }) => attributes === null);
  const { users: show } = isPlain ? showing(executor, noAttributes, false) : await showingTo(executor, actor);
  return show(users);
}

/** The same for things that have changed fields. */
export async function showChanges<Thing extends { readonly fields: Changes }>(
  executor: Executor,
  things: readonly Thing[],
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<readonly Thing[]> {
  const isPlain = ({ fields }: Thing) => fields.attributes === undefined && fields.scim === undefined;
  if (things.every(isPlain)) return things;
  const showing = await showingTo(executor, actor);
  return things.map((thing) => ({ ...thing, fields: showing.fields(thing.fields) }));
}
