import {
  BulkInterrupted,
  type BulkUpsertOptions,
  newIdempotencyKey,
  type RequestBody,
  rememberNames,
  resolveNames,
  upsertInBulk,
} from '@rollcall/client';
import type { RememberedName, ResolvedName } from '@rollcall/sheets';
import type { Attribute } from '../../components/attribute-value.js';
import { attributesQuery } from '../../components/attributes.js';
import type { DirectoryKind } from '../../components/directory.js';
import { inSlices, nextTask } from '../../components/yield-to-browser.js';
import { queryClient, rollcall } from '../../session/api.js';
import { getSession } from '../../session/session.js';
import type { KnownUser } from './knowledge.js';
import type { ItemReport } from './report.js';
import type { MissingUser } from './rows.js';
import { labelCharactersMax } from './source.js';
import type { Timing } from './timing.js';

export type Item = RequestBody<'upsertUsersBulk'>['items'][number];

export interface CallOptions {
  readonly confirm?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SendOptions extends CallOptions {
  /** Sending the same items with the same key again has no further effect. */
  readonly key: string;
  readonly deliver: 'now' | 'hold';
  readonly timing: Timing;
  readonly source: string;
  readonly note: string;
  /** What the calls of an import have in common. */
  readonly requestId: string;
}

export interface Sent {
  readonly reports: readonly ItemReport[];
  readonly callId: string;
  /** The call waits for its time or for approval, and its reports are a preview. */
  readonly isPlanned: boolean;
}

/** Reports have one entry per item. */
export interface ImportCalls {
  /** The attributes that the user may write. */
  attributes(): Promise<readonly Attribute[]>;
  preview(items: readonly Item[], options: CallOptions): Promise<readonly ItemReport[]>;
  send(items: readonly Item[], options: SendOptions): Promise<Sent>;
  /** Those of the employee IDs that users have. */
  existing(employeeIDs: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** The employee IDs of some users, to see what they look like. */
  someIDs(signal: AbortSignal): Promise<readonly string[]>;
  /** Users by serial. */
  users(serials: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, KnownUser>>;
  /** Users by an employee ID that they no longer have. Those that several users had are left out. */
  formerHolders(employeeIDs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, KnownUser>>;
  /** A user with this email address, in lower case. */
  emailOwner(email: string, signal: AbortSignal): Promise<KnownUser | undefined>;
  /** What names of organizations or tags mean, in their order. */
  resolveNames(
    kind: DirectoryKind,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly ResolvedName[]; readonly mayCreate: boolean }>;
  /** Decides what names mean, for everyone's next file. */
  rememberNames(kind: DirectoryKind, names: readonly RememberedName[]): Promise<void>;
  /** All active users but the one who is signed in, page by page. */
  activeUsers(signal: AbortSignal): AsyncIterable<readonly MissingUser[]>;
  /** The employee IDs of active users with a role. */
  roleHolders(signal: AbortSignal): Promise<ReadonlySet<string>>;
}

const pageLimit = 200;
const filterValuesMax = 100;
const searchCharactersMax = 200;

export const importCalls: ImportCalls = {
  attributes: async () => {
    const session = getSession();
    const maySeeAll = session.kind !== 'none' && session.session.scopes.includes('attributes:sensitive');
    const all = await queryClient.fetchQuery(attributesQuery);
    return all.filter(({ isRetired, isSensitive }) => !isRetired && (maySeeAll || !isSensitive));
  },
  preview: async (items, { confirm, signal }) => {
    const query = { dryRun: true, confirm };
    return (await upsert(items, query, { key: newIdempotencyKey(), signal })).reports;
  },
  send: (items, { confirm, deliver, timing: { kind, day }, source, note, ...options }) =>
    upsert(
      items,
      {
        ...{ confirm, deliver, effects: true, source: label(source), note: label(note) },
        effectiveAt: kind === 'now' || day === '' ? undefined : day,
        approval: kind === 'approval' ? 'required' : undefined,
      },
      options,
    ),
  existing: async (employeeIDs, signal) => {
    const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs: [...employeeIDs] }, signal });
    return body.data.items.map(({ employeeID }) => employeeID);
  },
  someIDs: async (signal) => {
    const query = { sort: '-createdAt', limit: pageLimit } as const;
    const { body } = await rollcall.call('listUsers', { query, signal });
    return body.data.items.map(({ employeeID }) => employeeID);
  },
  users: async (serials, signal) => {
    const found = new Map<string, KnownUser>();
    for (let at = 0; at < serials.length; at += filterValuesMax) {
      const query = { serial: serials.slice(at, at + filterValuesMax), limit: filterValuesMax };
      const { body } = await rollcall.call('listUsers', { query, signal });
      for (const user of body.data.items) found.set(user.serial, user);
    }
    return found;
  },
  formerHolders: async (employeeIDs, signal) => {
    const found = new Map<string, KnownUser>();
    const ambiguous = new Set<string>();
    for (let at = 0; at < employeeIDs.length; at += filterValuesMax) {
      const formerEmployeeID = employeeIDs.slice(at, at + filterValuesMax);
      const query = { formerEmployeeID, limit: pageLimit } as const;
      for await (const user of rollcall.each('listUsers', { query, signal })) {
        const former = user.formerEmployeeID ?? '';
        if (found.has(former)) ambiguous.add(former);
        found.set(former, user);
      }
    }
    for (const former of ambiguous) found.delete(former);
    return found;
  },
  emailOwner: async (email, signal) => {
    if (email.length > searchCharactersMax) return undefined;
    const query = { search: email, sort: 'employeeID', limit: pageLimit } as const;
    const { body } = await rollcall.call('listUsers', { query, signal });
    return body.data.items.find((user) => user.email?.toLowerCase() === email);
  },
  resolveNames: (kind, names, signal) => resolveNames(rollcall, kind, names, { signal }),
  rememberNames: (kind, names) => rememberNames(rollcall, kind, names),
  activeUsers: async function* (signal) {
    const session = getSession();
    const me = session.kind === 'none' ? undefined : session.session.serial;
    const query = { isActive: true, sort: 'employeeID', limit: pageLimit } as const;
    for await (const { items } of rollcall.pages('listUsers', { query, signal })) {
      yield items.filter(({ serial }) => serial !== me).map(({ employeeID, name }) => ({ employeeID, name }));
    }
  },
  roleHolders: async (signal) => {
    const query = { isActive: true, notRole: 'none', limit: pageLimit } as const;
    const employeeIDs = new Set<string>();
    for await (const { employeeID } of rollcall.each('listUsers', { query, signal }))
      employeeIDs.add(employeeID);
    return employeeIDs;
  },
};

function label(text: string): string | undefined {
  const visible = text.replace(/\p{C}/gu, ' ').trim();
  return visible === '' ? undefined : [...visible].slice(0, labelCharactersMax).join('');
}

interface OneCall {
  readonly key: string;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The items fit into one call, so there is one report, or the error of that call. */
async function upsert(
  items: readonly Item[],
  query: BulkUpsertOptions<Item>['query'],
  { key, requestId, signal }: OneCall,
): Promise<Sent> {
  let sent: Sent = { reports: [], callId: '', isPlanned: false };
  try {
    await upsertInBulk(rollcall, inSlices(items), {
      ...{ query, signal, requestId, idempotencyKeyPrefix: key },
      onOutcomes: async (outcomes, { callId = '', isPlanned }) => {
        await nextTask(); // the response has just been parsed
        const reports = outcomes.map((outcome) =>
          outcome.ok
            ? { ok: true as const, effect: outcome.effect }
            : { ok: false as const, error: outcome.error },
        );
        sent = { reports, callId, isPlanned };
      },
    });
    return sent;
  } catch (error) {
    throw error instanceof BulkInterrupted ? error.cause : error;
  }
}
