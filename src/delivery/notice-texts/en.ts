import { readableTime } from '../readable-time.js';
import { countsText, type NoticeTexts, numbersIn, rowsNamed } from './texts.js';

const { number, plural } = numbersIn('en');

const countLabels = {
  rows: 'rows',
  created: 'created',
  rehired: 'rehired',
  updated: 'updated',
  renamed: 'with a new employee ID',
  reactivated: 'reactivated',
  deactivated: 'deactivated',
  failed: 'failed',
};

const callKinds = {
  'create-bulk': 'creates users',
  'update-bulk': 'updates users',
  'upsert-bulk': 'creates and updates users',
  'update-matching': 'updates the users who match a filter',
  'rename-organization': 'renames an organization',
  'merge-organization': 'merges organizations',
  'rename-tag': 'renames a tag',
  'merge-tag': 'merges tags',
  'delete-attribute': 'deletes an attribute',
  'erase-bulk': 'erases users',
  undo: 'undoes an earlier call',
};

const time = (text: string) => readableTime(new Date(text), 'en');

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
  callApproval: ({ call, effectiveAt }) => ({
    title: 'A bulk call awaits approval',
    lines: [
      `A bulk call that ${callKinds[call.kind]} awaits approval. It has ${plural(call.items, 'item', 'items')}, and nothing has changed yet.`,
      effectiveAt === null
        ? 'Once approved, it runs immediately.'
        : `Once approved, it runs on ${time(effectiveAt)}.`,
      'Check the preview, then approve or cancel the call.',
    ],
  }),
  webhookDisabled: ({ webhook }, more) => ({
    title: more === 0 ? 'A webhook was disabled' : `${number(more + 1)} webhooks were disabled`,
    lines: [
      `Rollcall no longer sends events to the webhook at ${webhook.host}: its receiver kept failing, or replied that it no longer exists.`,
      ...(more > 0 ? [`The same happened to ${plural(more, 'more webhook', 'more webhooks')}.`] : []),
      'The list of webhooks shows the error. Once the receiver works, enable the webhook: it continues where it stopped.',
    ],
  }),
  scimTargetFailing: ({ target, isPaused }, more) => {
    const state = isPaused ? 'was paused' : 'keeps failing';
    return {
      title: more === 0 ? `A SCIM target ${state}` : `${number(more + 1)} SCIM targets keep failing`,
      lines: [
        isPaused
          ? `Rollcall no longer pushes users to "${target.name}", because it kept failing for days.`
          : `For about an hour, Rollcall could not push users to "${target.name}". It keeps trying.`,
        ...(more > 0 ? [`${plural(more, 'more target is', 'more targets are')} failing, too.`] : []),
        isPaused
          ? 'The list of targets shows the error. Once the target works, resume it: it continues where it stopped.'
          : 'The list of targets shows the error, and what to do about it.',
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
  backupFailed: ({ at }, more) => ({
    title: 'A scheduled backup failed',
    lines: [
      `The scheduled backup of ${time(at)} failed.`,
      ...(more > 0 ? [`Later, ${plural(more, 'more backup', 'more backups')} failed, too.`] : []),
      'Rollcall keeps trying, and logs every failure. There are no further notices until a backup has succeeded.',
    ],
  }),
  places: {
    feeds: 'Feeds',
    calls: 'Activity → Bulk calls',
    webhooks: 'Settings → Webhooks',
    targets: 'Settings → Outbound provisioning',
    provisioning: 'Settings → Provisioning (SCIM)',
    status: 'Settings → Status',
  },
  open: 'Open in Rollcall',
};
