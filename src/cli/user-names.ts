import { type Rollcall, RollcallError } from '#client';

/** The employee IDs of people whom a list knows by their serials alone. */
export interface Names {
  learn(serial: string): Promise<void>;
  /** The serial itself where nothing better is known. */
  of(serial: string): string;
}

/** Each is a request: beyond these, people of a long list keep their serials. */
const lookupsMax = 200;

export function createNames(rollcall: Rollcall): Names {
  const known = new Map<string, string>();
  return {
    learn: async (serial) => {
      if (!known.has(serial) && known.size < lookupsMax)
        known.set(serial, await employeeIdOf(rollcall, serial));
    },
    of: (serial) => known.get(serial) ?? serial,
  };
}

/** Somebody may be gone, or not be ours to read: a list is not the less for it. */
async function employeeIdOf(rollcall: Rollcall, serial: string): Promise<string> {
  try {
    return (await rollcall.call('getUser', { path: { serial } })).body.data.employeeID;
  } catch (error) {
    if (error instanceof RollcallError && error.status < 500) return serial;
    throw error;
  }
}

/** Learns who is meant before an item is shown. */
export async function* named<T>(
  items: AsyncIterable<T>,
  names: Names,
  serialsOf: (item: T) => readonly string[],
): AsyncGenerator<T, void, void> {
  for await (const item of items) {
    for (const serial of serialsOf(item)) await names.learn(serial);
    yield item;
  }
}

export type Actor = { readonly kind: string; readonly id: string } | null;

export function serialsOfActor(actor: Actor): string[] {
  return actor?.kind === 'person' ? [actor.id] : [];
}

/** Who did it: a client by its ID, a person by the employee ID; nobody for the service itself. */
export function shownActor(actor: Actor, names: Names): string {
  return actor === null ? '' : names.of(actor.id);
}
