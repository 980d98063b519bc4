import { Type } from 'typebox';
import type { Field } from './fields.js';
import type { Role } from './scopes.js';
import { bodyOf, orNull, required, success } from './shapes.js';

/** What people with a role are told about, each for those who want it. */
export const noticeTopics = [
  'feedFailed',
  'feedStopped',
  'feedDigest',
  'callApproval',
  'callDecided',
  'webhookDisabled',
  'scimTargetFailing',
  'scimDeactivationLimit',
  'backupFailed',
] as const;
export type NoticeTopic = (typeof noticeTopics)[number];

export const noticeStates = ['waiting', 'sent', 'parked', 'cancelled'] as const;
export type NoticeState = (typeof noticeStates)[number];

/** Whether a user gets notices about each topic. */
export type NoticeChoices = Readonly<Partial<Record<NoticeTopic, boolean>>>;

/** The topics that a role may get notices about, and whether it does unless a user has chosen. */
export const noticesOfRole: Readonly<Record<Role, NoticeChoices>> = {
  viewer: {},
  operator: {
    feedFailed: false,
    feedStopped: true,
    feedDigest: false,
    callApproval: true,
    callDecided: true,
  },
  administrator: {
    feedFailed: true,
    feedStopped: true,
    feedDigest: false,
    callApproval: true,
    callDecided: true,
    webhookDisabled: true,
    scimTargetFailing: true,
    scimDeactivationLimit: true,
    backupFailed: true,
  },
};

function isTopic(name: string): name is NoticeTopic {
  return (noticeTopics as readonly string[]).includes(name);
}

/** The topics among the names of an object, which never has others. */
export function topicsIn(choices: NoticeChoices): NoticeTopic[] {
  return Object.keys(choices).filter(isTopic);
}

const description: Readonly<Record<NoticeTopic, string>> = {
  feedFailed: 'A run of a feed failed.',
  feedStopped: 'A run of a feed stopped and waits for approval.',
  feedDigest: 'What the feeds did, once a day.',
  callApproval: 'A planned call of someone else awaits approval.',
  callDecided: 'Someone approved or rejected a call that the user planned.',
  webhookDisabled: 'A webhook was disabled because its deliveries failed.',
  scimTargetFailing: 'A SCIM target keeps failing, or was paused because of that.',
  scimDeactivationLimit: 'An identity provider has reached its limit of deactivations.',
  backupFailed: 'A scheduled backup failed.',
};

/** Whether a user gets notices, by topic. */
export const NoticeTopics = Type.Object(
  Object.fromEntries(
    noticeTopics.map((topic) => [topic, Type.Optional(Type.Boolean({ description: description[topic] }))]),
  ),
  { examples: [{ feedFailed: true }], additionalProperties: false },
);

const topicsField: Field<NoticeChoices> = {
  schema: NoticeTopics,
  rule: `an object with true or false for ${noticeTopics.join(', ')}`,
  normalize: (sent) => sent,
  accepts: (value): value is NoticeChoices =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([name, isWanted]) => isTopic(name) && typeof isWanted === 'boolean'),
};

export const noticeChoicesFields = { topics: required(topicsField) } as const;

export const PatchNoticeChoices = bodyOf(noticeChoicesFields, {
  title: 'PatchNoticeChoices',
  description: 'The topics to change. The others stay as they are.',
});

export const NoticeChoicesReply = success(
  'NoticeChoices',
  Type.Object({
    topics: {
      ...NoticeTopics,
      description: 'Every topic that the role allows, and whether the user gets it.',
    },
    email: orNull(
      Type.String({ description: 'Where notices are sent; null if the user has no email address.' }),
    ),
  }),
);

/** How a chat takes messages. `text` is what most of them understand: `{ "text": "…" }`. */
export const chatFormats = ['slack', 'teams', 'text'] as const;
export type ChatFormat = (typeof chatFormats)[number];

const teamsHosts = ['webhook.office.com', 'logic.azure.com', 'powerplatform.com'];

/** The format that the host of a chat takes. */
export function chatFormatOf(url: string): ChatFormat {
  const { hostname } = new URL(url);
  if (hostname === 'hooks.slack.com') return 'slack';
  return teamsHosts.some((host) => hostname.endsWith(`.${host}`)) ? 'teams' : 'text';
}
