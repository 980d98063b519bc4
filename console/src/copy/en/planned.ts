import { formatNumber } from '../format.js';
import { plural } from './plural.js';

const changes = (count: number) => plural(count, 'change');

/** Changes that wait for their time or for approval. */
export const plannedCopy = {
  toDecide: (count: number) => `${changes(count)} ${count === 1 ? 'awaits' : 'await'} your approval.`,
  ofOthers: (count: number) =>
    `${changes(count)} ${count === 1 ? 'has' : 'have'} to be approved by someone else.`,
  view: 'View',
  needsTakeover: 'Needs takeover',

  plannedAt: 'Scheduled',
  effectiveAt: 'Runs',
  onceApproved: 'Once approved',
  expiresAt: 'Expires',
  approval: 'Approval',
  approvalNeeded: 'Needed',
  approvalNotNeeded: 'Not needed',
  author: 'Scheduled by',
  cancelledBy: 'Cancelled by',
  ifChanged: 'If the result would differ from the preview by then',
  ifChangedChoices: {
    skip: 'Leave out the users concerned',
    run: 'Run anyway',
    stop: 'Change nothing at all',
  },

  isPlanned: (time: string) => `This change runs on ${time}. Nothing has changed yet.`,
  isDue: 'This change runs in a moment. Nothing has changed yet.',
  awaitsApproval: 'This change awaits approval. Nothing has changed yet.',
  awaitsApprovalUntil: (time: string) =>
    `This change awaits approval, and runs on ${time}. Nothing has changed yet.`,
  ownCall: 'You scheduled or took over this change, so someone else has to approve it.',
  takeoverNeeded:
    'Whoever scheduled this change no longer has the permission to make it, the API client that scheduled it was disabled or its secret was replaced, or a backup was restored after the change was due. It runs only if someone takes it over.',
  wasCancelled: 'This change was cancelled. It has changed nothing.',
  hasExpired: 'This change could not run in time and has expired. It has changed nothing.',

  noted: (note: string) => `Note: ${note}`,
  does: {
    created: (count: number) => `Creates ${plural(count, 'user')}.`,
    rehired: (count: number) => `Rehires ${plural(count, 'user')}.`,
    deactivated: (count: number) => `Deactivates ${plural(count, 'user')}.`,
    reactivated: (count: number) => `Reactivates ${plural(count, 'user')}.`,
    renumbered: (count: number) => `Changes the employee ID of ${plural(count, 'user')}.`,
    updated: (count: number) => `Changes data of ${plural(count, 'user')}.`,
    deleted: (count: number) => `Removes ${plural(count, 'user')}.`,
    erased: (count: number) => `Erases ${plural(count, 'user')}.`,
    unchanged: (count: number) => `Leaves ${plural(count, 'user')} unchanged.`,
    failed: (count: number) => `Will fail for ${plural(count, 'user')}.`,
  },
  approve: {
    open: 'Approve…',
    title: 'Approve this change?',
    upTo: (items: number) => `Changes up to ${plural(items, 'user')}.`,
    now: 'It runs now, as shown in the preview.',
    later: (time: string) => `It runs on ${time}, as shown in the preview.`,
    confirm: 'Approve',
    done: 'Change approved.',
    failed: "Couldn't approve this change",
  },
  reject: {
    open: 'Reject…',
    title: 'Reject this change?',
    hint: 'It will not run, and nothing changes. Whoever requested it has to schedule it again.',
    confirm: 'Reject',
    done: 'Change rejected.',
    failed: "Couldn't reject this change",
  },
  cancel: {
    keep: 'Keep it',
    open: 'Cancel change…',
    title: 'Cancel this change?',
    hint: 'It will not run, and nothing changes.',
    confirm: 'Cancel change',
    done: 'Change cancelled.',
    failed: "Couldn't cancel this change",
  },
  takeOver: {
    open: 'Take over…',
    title: 'Take over this change?',
    hint: 'It then runs in your name: with your permissions, and the history names you for its changes. Passwords given in it are replaced by generated ones.',
    approval: 'After that, someone else has to approve it.',
    confirm: 'Take over',
    done: 'Change taken over.',
    failed: "Couldn't take over this change",
  },

  scope: {
    title: 'Who it is about',
    filter: 'Selected by this filter',
    byHand: (count: number) => `${plural(count, 'user')} selected by hand`,
    search: (text: string) => `Search for “${text}”`,
    flags: {
      includeParts: {
        true: 'Including the organizations below them',
        false: 'Without parts of organizations',
      },
      hasOrganization: { true: 'With an organization', false: 'No organization' },
      hasTags: { true: 'With tags', false: 'No tags' },
      hasManager: { true: 'With a manager', false: 'No manager' },
    },
    organizations: (count: number, isAll: boolean) =>
      isAll ? 'Organizations' : `Organizations of the first ${plural(count, 'user')}`,
    organization: (name: string, count: number) => `${name}: ${plural(count, 'user')}`,
    none: 'No organization',
    others: (count: number) => `${plural(count, 'more organization')}`,
    sample: 'For example',
  },

  items: {
    title: { ran: 'Rows', waiting: 'Preview' },
    table: { ran: 'Rows of this change and their outcomes', waiting: 'What this change will do' },
    show: 'Show',
    filters: { all: 'All', failed: { ran: 'Failed', waiting: 'Will fail' } },
    position: '#',
    outcome: 'Outcome',
    what: { ran: 'Before → after', waiting: 'Before → after' },
    did: {
      deactivated: 'Deactivated',
      reactivated: 'Reactivated',
      changed: (fields: string) => `${fields} changed`,
    },
    showDetails: 'Show',
    hideDetails: 'Hide',
    succeeded: 'Succeeded',
    failed: 'Failed',
    preview: {
      created: 'Will be created',
      updated: 'Will change',
      rehired: 'Will be rehired',
      deleted: 'Will be removed',
      erased: 'Will be erased',
      unchanged: 'No change',
      failed: 'Will fail',
    },
    noFailures: 'No failures',
    none: 'The rows of this change are no longer kept.',
    download: 'Download failures',
    downloading: (count: number) => `Reading ${formatNumber(count)}…`,
    cannotDownload: "Couldn't read the failures",
    downloadName: (callId: string) => `failures-${callId}.csv`,
    columns: ['Position', 'Employee ID', 'Error', 'Reason'],
  },

  upcoming: {
    title: 'Upcoming changes',
    on: (time: string) => `On ${time}`,
    onApproved: (time: string) => `On ${time}, once approved`,
    onceApproved: 'Once approved',
    deactivate: 'deactivate',
    reactivate: 'reactivate',
    change: 'change',
    what: (when: string, what: string) => `${when}: ${what}`,
    view: 'View the scheduled change',
  },

  awaits: {
    title: 'Awaiting approval',
    text: 'This exceeds the safety limit, so someone else has to approve it. Nothing has changed yet.',
    view: 'View the change',
  },
};
