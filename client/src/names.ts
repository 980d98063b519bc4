import type { Rollcall } from './client.js';
import { limits } from './generated/tables.js';
import type { CommonOptions, Schemas } from './operations.js';

export type DirectoryName = 'organizations' | 'tags';

const operations = {
  organizations: { resolve: 'resolveOrganizationNames', remember: 'rememberOrganizationNames' },
  tags: { resolve: 'resolveTagNames', remember: 'rememberTagNames' },
} as const;

/** What names in a file mean, in their order; with as many requests as it takes. */
export async function resolveNames(
  rollcall: Pick<Rollcall, 'call'>,
  directory: DirectoryName,
  names: readonly string[],
  options: CommonOptions = {},
): Promise<{ readonly items: readonly Schemas['ResolvedName'][]; readonly mayCreate: boolean }> {
  const items: Schemas['ResolvedName'][] = [];
  let mayCreate = true;
  for (const some of inBatches(names)) {
    const { body } = await rollcall.call(operations[directory].resolve, {
      ...options,
      body: { names: some },
    });
    items.push(...body.data.items);
    mayCreate = body.data.mayCreate;
  }
  return { items, mayCreate };
}

/** Decides what names in files mean, for everyone. */
export async function rememberNames(
  rollcall: Pick<Rollcall, 'call'>,
  directory: DirectoryName,
  decisions: readonly Schemas['RememberedName'][],
  options: CommonOptions = {},
): Promise<void> {
  for (const items of inBatches(decisions)) {
    await rollcall.call(operations[directory].remember, { ...options, body: { items } });
  }
}

function* inBatches<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += limits.namesMax) yield list.slice(at, at + limits.namesMax);
}
