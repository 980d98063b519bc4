import type { ChatFormat, NoticeChoices, NoticeState, NoticeTopic } from '../../contract/notices.js';
import type { Role } from '../../contract/scopes.js';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { deleteBatch, plainArray, textArray } from '../sql.js';

/** Who may get notices about a topic. */
export interface NoticeAudience {
  readonly topic: NoticeTopic;
  /** The roles that may, each with whether it does unless a user has chosen. */
  readonly roles: readonly { readonly role: Role; readonly byDefault: boolean }[];
}

const entitled = (topic: string, roles: string, defaults: string) =>
  `roles JOIN unnest(${roles}::text[], ${defaults}::boolean[]) AS allowed (allowed_role, by_default) ON allowed_role = role
     JOIN users ON serial = roles.user_serial AND is_active AND email IS NOT NULL
     LEFT JOIN notice_choices AS choice ON choice.user_serial = serial AND topic = ${topic}`;

const rolesIn = ({ roles }: NoticeAudience) => [
  textArray(roles.map(({ role }) => role)),
  plainArray(roles.map(({ byDefault }) => byDefault)),
];

/** Everyone who wants the topic, or those of `to` who have not switched it off. */
export async function listNoticeRecipients(
  tx: Executor,
  audience: NoticeAudience,
  { to, except }: { readonly to: readonly string[] | undefined; readonly except: string | undefined },
): Promise<string[]> {
  const { rows } = await tx.query<{ serial: string }>({
    name: 'list-notice-recipients',
    text: `SELECT serial FROM ${entitled('$1', '$2', '$3')}
           WHERE coalesce(is_wanted, by_default OR $4::uuid[] IS NOT NULL)
             AND ($4::uuid[] IS NULL OR serial = ANY ($4)) AND serial IS DISTINCT FROM $5::uuid`,
    values: [audience.topic, ...rolesIn(audience), to ? plainArray(to) : null, except ?? null],
  });
  return rows.map(({ serial }) => serial);
}

export interface NoticeRecipient {
  readonly email: string;
  readonly name: string;
}

/** Undefined if the user may not get the notice anymore, has no address, or has switched the topic off. */
export async function getNoticeRecipient(
  executor: Executor,
  audience: NoticeAudience,
  userSerial: string,
): Promise<NoticeRecipient | undefined> {
  const { rows } = await executor.query<NoticeRecipient>({
    name: 'get-notice-recipient',
    text: `SELECT email, name FROM ${entitled('$1', '$2', '$3')}
           WHERE serial = $4 AND coalesce(is_wanted, true)`,
    values: [audience.topic, ...rolesIn(audience), userSerial],
  });
  return rows[0];
}

/** A notice for one recipient: a user, or a chat with its encrypted URL. */
export type QueuedNotice =
  | { readonly id: string; readonly channel: 'email'; readonly userSerial: string }
  | { readonly id: string; readonly channel: ChatFormat; readonly url: EncryptedSecret };

export async function enqueueNotices(
  tx: Executor,
  { topic, facts }: { readonly topic: NoticeTopic; readonly facts: object },
  notices: readonly QueuedNotice[],
): Promise<void> {
  const rows = notices.map((notice) =>
    'url' in notice
      ? {
          id: notice.id,
          channel: notice.channel,
          secret: notice.url.bytes.toString('hex'),
          key: notice.url.keyId,
        }
      : { id: notice.id, channel: notice.channel, user: notice.userSerial },
  );
  await tx.query({
    name: 'enqueue-notices',
    text: `INSERT INTO notices (id, user_serial, topic, channel, facts, secret, secret_key_id)
           SELECT id, "user", $1, channel, $2::jsonb, decode(secret, 'hex'), key
           FROM json_to_recordset($3::json) AS new (id uuid, "user" uuid, channel text, secret text, key text)`,
    values: [topic, JSON.stringify(facts), JSON.stringify(rows)],
  });
}

/** What a user has chosen explicitly. */
export async function readNoticeChoices(executor: Executor, userSerial: string): Promise<NoticeChoices> {
  const { rows } = await executor.query<{ topic: NoticeTopic; isWanted: boolean }>(
    'SELECT topic, is_wanted AS "isWanted" FROM notice_choices WHERE user_serial = $1 ORDER BY topic',
    [userSerial],
  );
  return Object.fromEntries(rows.map(({ topic, isWanted }) => [topic, isWanted]));
}

/** Only for users whose row is locked. */
export async function storeNoticeChoices(
  tx: Executor,
  userSerial: string,
  choices: NoticeChoices,
): Promise<void> {
  await tx.query(
    `INSERT INTO notice_choices (user_serial, topic, is_wanted)
     SELECT $1, topic, is_wanted FROM unnest($2::text[], $3::boolean[]) AS chosen (topic, is_wanted)
     ON CONFLICT (user_serial, topic) DO UPDATE SET is_wanted = excluded.is_wanted`,
    [userSerial, textArray(Object.keys(choices)), plainArray(Object.values(choices))],
  );
}

/** A notice to a user, as the user may know about it. */
export interface SentNotice {
  readonly topic: NoticeTopic;
  readonly state: NoticeState;
  readonly createdAt: string;
  readonly sentAt: string | null;
}

/** Newest first. */
export async function listNoticesTo(
  executor: Executor,
  userSerial: string,
  limit: number,
): Promise<SentNotice[]> {
  const { rows } = await executor.query<{
    topic: NoticeTopic;
    state: NoticeState;
    createdAt: Date;
    sentAt: Date | null;
  }>(
    `SELECT topic, state, created_at AS "createdAt", sent_at AS "sentAt" FROM notices
     WHERE user_serial = $1 ORDER BY id DESC LIMIT $2`,
    [userSerial, limit],
  );
  return rows.map(({ createdAt, sentAt, ...rest }) => ({
    ...rest,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  }));
}

/** Nothing is sent anymore. What stays says nothing about the users. */
export async function eraseNotices(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-notices',
    text: `UPDATE notices SET state = CASE WHEN state = 'sent' THEN state ELSE 'cancelled' END, last_error = NULL
           WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
}

/** Those that nobody waits for anymore. Returns true if there may be more. */
export function deleteOldNotices(executor: Executor, olderThanDays: number): Promise<boolean> {
  const condition = `state <> 'waiting' AND created_at < now() - make_interval(days => $1)`;
  return deleteBatch(executor, { table: 'notices', condition, values: [olderThanDays] });
}
