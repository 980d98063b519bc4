import { importNoteText } from '#sheets';
import type { NoticeFacts } from '../../domain/notices/notices.js';
import { readableTime } from '../readable-time.js';
import {
  countsText,
  effectsText,
  type NoticeDetails,
  type NoticeTexts,
  namesText,
  numbersIn,
  rowsNamed,
  type Start,
  startOf,
  withoutStop,
} from './texts.js';

const { number, plural } = numbersIn('en');

const countLabels = {
  rows: 'rows',
  created: 'new',
  rehired: 'rehired',
  updated: 'changed',
  renamed: 'with a new employee ID',
  reactivated: 'reactivated',
  deactivated: 'deactivated',
  failed: 'failed',
};

const users = (count: number) => plural(count, 'user', 'users');
const does = {
  created: (count: number) => `create ${users(count)}`,
  rehired: (count: number) => `rehire ${users(count)}`,
  deactivated: (count: number) => `deactivate ${users(count)}`,
  reactivated: (count: number) => `reactivate ${users(count)}`,
  renumbered: (count: number) => `change the employee ID of ${users(count)}`,
  updated: (count: number) => `change data of ${users(count)}`,
  deleted: (count: number) => `remove ${users(count)}`,
};

/** When a call takes effect, as part of a title and in sentences. */
function timing(start: Start | undefined) {
  if (start?.lastDay) {
    const days = `active until the end of ${start.lastDay} and are inactive from ${start.day}.`;
    return {
      when: `, last working day ${start.lastDay}`,
      asked: `Once approved, they stay ${days}`,
      approved: `They stay ${days}`,
    };
  }
  if (!start) {
    return {
      when: '',
      asked: 'The bulk change runs as soon as it is approved.',
      approved: 'The bulk change runs now.',
    };
  }
  const at = start.day ? `at the start of ${start.day}` : `on ${start.time}`;
  return {
    when: ` on ${start.day ?? start.time}`,
    asked: `Once approved, the bulk change runs ${at}.`,
    approved: `The bulk change runs ${at}.`,
  };
}

const leftOut = (count: number) => `${plural(count, 'invalid row', 'invalid rows')} left out`;

/** What a call does, to whom and when. */
function callParts(facts: NoticeFacts['callApproval'], { people, style }: NoticeDetails) {
  const { call, effects } = facts;
  const what =
    effectsText(effects, does, 'en') || `make a bulk change of ${plural(call.items, 'row', 'rows')}`;
  const others = (count: number) => plural(count, 'other', 'others');
  const names = namesText(people?.users ?? [], effects, { language: 'en', others });
  const { when, ...effect } = timing(startOf(facts, style));
  return {
    what: `${what}${when}`,
    whom: names === '' ? what : `${what}: ${names}`,
    note: people?.note ? [`Note: ${withoutStop(importNoteText(people.note, leftOut))}.`] : [],
    ...effect,
  };
}

function rowsLine(rowNumbers: readonly number[] = []): string[] {
  if (rowNumbers.length === 0) return [];
  const { list, beyond } = rowsNamed(rowNumbers);
  const row = rowNumbers.length === 1 ? 'Affected row' : 'Affected rows';
  return [`${row}: ${list}${beyond > 0 ? `, and ${number(beyond)} more` : ''}.`];
}

export const english: NoticeTexts = {
  feedFailed: ({ feed, counts, reasons, rowNumbers }) => ({
    title: `The feed "${feed.name}" failed`,
    lines: [
      `A run of the feed "${feed.name}" failed.`,
      ...reasons,
      ...countsText(counts, countLabels, number),
      ...rowsLine(rowNumbers),
    ],
  }),
  feedStopped: ({ feed, counts, reasons, rowNumbers }) => ({
    title: `The feed "${feed.name}" awaits approval`,
    lines: [
      `A run of the feed "${feed.name}" was stopped before it changed anything.`,
      ...reasons,
      ...countsText(counts, countLabels, number),
      ...rowsLine(rowNumbers),
      'Check what the run would do, then approve or cancel it.',
    ],
  }),
  feedDigest: ({ feeds }) => ({
    title: 'Summary of the feeds',
    lines: feeds.map(({ name, runs, counts, state }) =>
      [
        `${name}: ${runs === 0 ? 'no runs' : plural(runs, 'run', 'runs')}.`,
        ...countsText(counts, countLabels, number),
        ...(state === 'failed' ? ['The last run failed.'] : []),
        ...(state === 'stopped' ? ['The last run awaits approval.'] : []),
      ].join(' '),
    ),
  }),
  callApproval: (facts, details) => {
    const { what, whom, note, asked } = callParts(facts, details);
    const author = details.people?.author;
    return {
      title: author ? `${author} asks for approval: ${what}` : `Approval needed: ${what}`,
      lines: [
        `${author ?? 'Someone'} wants to ${whom}.`,
        ...(facts.call.kind === 'undo' ? ['This undoes an earlier bulk change.'] : []),
        ...note,
        'Nothing has changed yet.',
        asked,
        'Check the preview, then approve or reject the bulk change.',
      ],
    };
  },
  callDecided: (facts, details) => {
    const { what, whom, approved } = callParts(facts, details);
    const { decider, cancelReason } = details.people ?? {};
    const verb = facts.isApproved ? 'approved' : 'rejected';
    return {
      title: decider ? `${decider} ${verb} your bulk change: ${what}` : `Bulk change ${verb}: ${what}`,
      lines: [
        `${decider ?? 'Someone'} ${verb} your request to ${whom}.`,
        ...(cancelReason ? [`Reason: ${withoutStop(cancelReason)}.`] : []),
        facts.isApproved
          ? approved
          : 'Nothing has changed. If the change is still needed, schedule it again.',
      ],
    };
  },
  webhookDisabled: ({ webhook }, { more }) => ({
    title: more === 0 ? 'A webhook was disabled' : `${number(more + 1)} webhooks were disabled`,
    lines: [
      `Rollcall no longer sends events to the webhook at ${webhook.host}: its receiver kept failing, or replied that it no longer exists.`,
      ...(more > 0 ? [`The same happened to ${plural(more, 'more webhook', 'more webhooks')}.`] : []),
      'The list of webhooks shows the error. Once the receiver works, enable the webhook: it continues where it stopped.',
    ],
  }),
  scimTargetFailing: ({ target, isPaused }, { more }) => {
    const state = isPaused ? 'was paused' : 'keeps failing';
    return {
      title:
        more === 0
          ? `Sending users to a service ${state}`
          : `Sending users to ${number(more + 1)} services keeps failing`,
      lines: [
        isPaused
          ? `Rollcall no longer sends users to "${target.name}", because it kept failing for days.`
          : `For about an hour, Rollcall could not send users to "${target.name}". It keeps trying.`,
        ...(more > 0 ? [`${plural(more, 'other service is', 'other services are')} affected, too.`] : []),
        isPaused
          ? 'The list of services shows the error. Once the service works, resume the connection: it continues where it stopped.'
          : 'The list of services shows the error, and what to do about it.',
      ],
    };
  },
  scimDeactivationLimit: ({ provider, limit }) => ({
    title: 'An identity provider has reached its limit of deactivations',
    lines: [
      `"${provider.name}" has deactivated ${plural(limit, 'user', 'users')} within 24 hours, as many as it may. Rollcall rejects further deactivations by it.`,
      'Check whether someone has unassigned users by mistake. If the deactivations are intended, allow more on the page of the provider.',
    ],
  }),
  backupFailed: ({ at }, { more, style }) => ({
    title: 'A scheduled backup failed',
    lines: [
      `The scheduled backup of ${readableTime(new Date(at), style)} failed.`,
      ...(more > 0 ? [`Later, ${plural(more, 'more backup', 'more backups')} failed, too.`] : []),
      'Rollcall keeps trying, and logs every failure. There are no further notices until a backup has succeeded.',
    ],
  }),
  places: {
    feeds: 'Feeds',
    calls: 'Activity → Bulk changes',
    webhooks: 'Settings → Webhooks',
    targets: 'Settings → Send users (SCIM)',
    provisioning: 'Settings → Receive users (SCIM)',
    status: 'Settings → Status',
  },
  open: 'Open in Rollcall',
};
