import { formatNumber } from '../format.js';
import { plural } from './plural.js';

const calls = (count: number) => plural(count, 'call');

/** Calls that wait for their time or for approval. */
export const plannedCopy = {
  toDecide: (count: number) => `${calls(count)} ${count === 1 ? 'awaits' : 'await'} your approval.`,
  ofOthers: (count: number) =>
    `${calls(count)} ${count === 1 ? 'has' : 'have'} to be approved by someone else.`,
  view: 'View',
  needsTakeover: 'Needs takeover',

  plannedAt: 'Planned',
  effectiveAt: 'Runs',
  onceApproved: 'Once approved',
  expiresAt: 'Expires',
  approval: 'Approval',
  approvalNeeded: 'Needed',
  approvalNotNeeded: 'Not needed',
  author: 'Planned by',
  cancelledBy: 'Cancelled by',
  ifChanged: 'If the result would differ from the preview by then',
  ifChangedChoices: {
    skip: 'Leave out the users concerned',
    run: 'Run anyway',
    stop: 'Change nothing at all',
  },

  isPlanned: (time: string) => `This call runs on ${time}. Nothing has changed yet.`,
  isDue: 'This call runs in a moment. Nothing has changed yet.',
  awaitsApproval: 'This call awaits approval. Nothing has changed yet.',
  awaitsApprovalUntil: (time: string) =>
    `This call awaits approval, and runs on ${time}. Nothing has changed yet.`,
  ownCall: 'You planned or took over this call, so someone else has to approve it.',
  takeoverNeeded:
    'Whoever planned this call no longer has the permission to make it, the API client that planned it was disabled or its secret was replaced, or a backup was restored after the call was due. It runs only if someone takes it over.',
  wasCancelled: 'This call was cancelled. It has changed nothing.',
  hasExpired: 'This call could not run in time and has expired. It has changed nothing.',

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
    title: 'Approve this call?',
    upTo: (items: number) => `Changes up to ${plural(items, 'user')}.`,
    now: 'It runs now, as shown in the preview.',
    later: (time: string) => `It runs on ${time}, as shown in the preview.`,
    confirm: 'Approve',
    done: 'Call approved.',
    failed: "Couldn't approve this call",
  },
  reject: {
    open: 'Reject…',
    title: 'Reject this call?',
    hint: 'It will not run, and nothing changes. Whoever requested it has to plan it again.',
    confirm: 'Reject',
    done: 'Call rejected.',
    failed: "Couldn't reject this call",
  },
  cancel: {
    keep: 'Keep it',
    open: 'Cancel call…',
    title: 'Cancel this call?',
    hint: 'It will not run, and nothing changes.',
    confirm: 'Cancel call',
    done: 'Call cancelled.',
    failed: "Couldn't cancel this call",
  },
  takeOver: {
    open: 'Take over…',
    title: 'Take over this call?',
    hint: 'It then runs in your name: with your permissions, and the history names you for its changes. Passwords given in it are replaced by generated ones.',
    approval: 'After that, someone else has to approve it.',
    confirm: 'Take over',
    done: 'Call taken over.',
    failed: "Couldn't take over this call",
  },

  scope: {
    title: 'Who it is about',
    filter: 'Selected by this filter',
    search: (text: string) => `Search for “${text}”`,
    flags: {
      includeParts: {
        true: 'Including parts of these organizations',
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
    title: { ran: 'Items', waiting: 'Preview' },
    table: { ran: 'Items of this call and their outcomes', waiting: 'What this call will do' },
    show: 'Show',
    filters: { all: 'All', failed: { ran: 'Failed', waiting: 'Will fail' } },
    position: '#',
    outcome: 'Outcome',
    what: { ran: 'Reason', waiting: 'Before → after' },
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
    none: 'The items of this call are no longer kept.',
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
    view: 'View the planned call',
  },

  awaits: {
    title: 'Awaiting approval',
    text: 'This exceeds the safety limit, so someone else has to approve it. Nothing has changed yet.',
    view: 'View the call',
  },
};
