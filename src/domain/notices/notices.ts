import { v7 } from 'uuid';
import type { CallKind } from '../../contract/enums.js';
import { type ChatFormat, type NoticeTopic, noticesOfRole } from '../../contract/notices.js';
import { roles } from '../../contract/scopes.js';
import type { Executor } from '../../storage/database.js';
import {
  enqueueNotices,
  listNoticeRecipients,
  type NoticeAudience,
  type QueuedNotice,
} from '../../storage/delivery/notices.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';

/** What is counted in a run of a feed. */
export const feedCounts = [
  'rows',
  'created',
  'rehired',
  'updated',
  'renamed',
  'reactivated',
  'deactivated',
  'failed',
] as const;
export type FeedCounts = Readonly<Partial<Record<(typeof feedCounts)[number], number>>>;

interface FeedRunFacts {
  readonly feed: { readonly id: string; readonly name: string };
  readonly run: { readonly id: string };
  readonly counts: FeedCounts;
  /** English sentences with numbers. */
  readonly reasons: readonly string[];
  readonly rowNumbers?: readonly number[];
}

/** What a feed did since the last digest. */
export interface FeedSummary {
  readonly name: string;
  readonly runs: number;
  readonly counts: FeedCounts;
  /** How its last run ended. One that was stopped waits for approval. */
  readonly state: 'done' | 'failed' | 'stopped';
}

/** What a call does to users. */
export const callEffects = [
  'created',
  'rehired',
  'deactivated',
  'reactivated',
  'renumbered',
  'updated',
  'deleted',
] as const;
/** How many users each happens to. */
export type CallEffects = Readonly<Partial<Record<(typeof callEffects)[number], number>>>;

interface CallFacts {
  readonly call: { readonly id: string; readonly kind: CallKind; readonly items: number };
  /** Missing in notices that an earlier version queued. */
  readonly effects?: CallEffects;
  /** Null: as soon as it is approved. */
  readonly effectiveAt: string | null;
  /** The day that ends then, if it was planned as that. */
  readonly lastWorkingDay?: string | undefined;
}

/** What is stored of notices about each topic. Neither names, employee IDs nor addresses of users. */
export interface NoticeFacts {
  readonly feedFailed: FeedRunFacts;
  readonly feedStopped: FeedRunFacts;
  readonly feedDigest: { readonly feeds: readonly FeedSummary[] };
  readonly callApproval: CallFacts;
  readonly callDecided: CallFacts & { readonly isApproved: boolean };
  readonly webhookDisabled: { readonly webhook: { readonly id: string; readonly host: string } };
  readonly scimTargetFailing: {
    readonly target: { readonly id: string; readonly name: string };
    readonly isPaused: boolean;
  };
  readonly scimDeactivationLimit: {
    readonly provider: { readonly clientId: string; readonly name: string };
    readonly limit: number;
  };
  readonly backupFailed: { readonly at: string };
}

/** A topic with its facts. */
export type NoticeContent = {
  readonly [Topic in NoticeTopic]: { readonly topic: Topic; readonly facts: NoticeFacts[Topic] };
}[NoticeTopic];

/** Where a chat takes messages. The URL is a secret. */
export interface Chat {
  readonly url: string;
  readonly format: ChatFormat;
}

export type Notice = NoticeContent & {
  /** Serials of users who were chosen to be told. Otherwise everyone who wants the topic. */
  readonly to?: readonly string[] | undefined;
  /** The serial of a user who knows already. */
  readonly except?: string | undefined;
  readonly webhook?: Chat | undefined;
};

export interface NoticeContext {
  readonly cipher: SecretCipher;
  /** Gets every notice of the service, except digests, which repeat what it got already, and answers to one user. */
  readonly noticeChat: Chat | undefined;
}

const notInChats: readonly NoticeTopic[] = ['feedDigest', 'callDecided'];

/** Runs in the transaction that causes the notice. */
export async function queueNotice(
  { cipher, noticeChat }: NoticeContext,
  tx: Executor,
  { topic, facts, to, except, webhook }: Notice,
): Promise<void> {
  const serials = await listNoticeRecipients(tx, audienceOf(topic), { to, except });
  const chats = [webhook, notInChats.includes(topic) ? undefined : noticeChat].filter(
    (chat) => chat !== undefined,
  );
  const queued: QueuedNotice[] = [
    ...serials.map((userSerial) => ({ id: v7(), channel: 'email' as const, userSerial })),
    ...[...new Map(chats.map((chat) => [chat.url, chat])).values()].map(({ url, format }) => {
      const id = v7();
      return { id, channel: format, url: cipher.encrypt(url, chatPurpose(id)) };
    }),
  ];
  if (queued.length > 0) await enqueueNotices(tx, { topic, facts }, queued);
}

export function audienceOf(topic: NoticeTopic): NoticeAudience {
  return {
    topic,
    roles: roles.flatMap((role) => {
      const byDefault = noticesOfRole[role][topic];
      return byDefault === undefined ? [] : [{ role, byDefault }];
    }),
  };
}

/** What the URL of a chat is encrypted for. */
export function chatPurpose(noticeId: string): string {
  return `notice ${noticeId}`;
}
