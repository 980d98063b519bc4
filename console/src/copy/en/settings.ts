import { formatNumber } from '../format.js';
import { plural } from './plural.js';

export const settingsCopy = {
  title: 'Settings',
  tabs: {
    attributes: 'Attributes',
    clients: 'API clients',
    applications: 'Applications',
    provisioning: 'Receive users (SCIM)',
    targets: 'Send users (SCIM)',
    webhooks: 'Webhooks',
  },
  systemTabs: {
    status: 'Status',
    limits: 'Limits',
  },
  test: {
    action: 'Send test event',
    delivered: (name: string, status: number, durationMs: number) =>
      `${name} received the test event and responded with ${status} after ${formatNumber(durationMs)} ms.`,
    notDelivered: (name: string) => `${name} didn't receive the test event`,
    responded: (status: number) =>
      `The receiver responded with ${status}. It has to respond with a status from 200 to 299.`,
    noResponse:
      "The receiver couldn't be reached, or didn't respond in time. Check the URL and the receiver.",
    failed: "Couldn't send the test event",
  },
  unsent: {
    title: {
      all: 'Messages are not sent to anyone',
      email: 'Emails are not sent to anyone',
      sms: 'Text messages are not sent to anyone',
    },
    text: {
      all: 'Users do not receive their passwords until whoever runs the service has set up the delivery. So far, messages are only written to files, even if their state says “Sent”.',
      email:
        'Users with an email address do not receive their passwords until whoever runs the service has set up the delivery. So far, emails are only written to files, even if their state says “Sent”.',
      sms: 'Users without an email address do not receive their passwords until whoever runs the service has set up the delivery. So far, text messages are only written to files, even if their state says “Sent”.',
    },
  },
  limits: {
    lead: 'What this service is configured to allow. These values are changed in the configuration of the service, by whoever runs it, and not in this console.',
    cannotLoad: "Couldn't load the settings",
    groups: {
      service: 'Service',
      safety: 'Safety of bulk changes',
      bulk: 'Bulk changes and imports',
      signIn: 'Sign-in and passwords',
      names: 'Employee IDs and usernames',
      messages: 'Messages',
    },
    names: {
      version: 'Version',
      database: 'Database',
      timeZone: 'Time zone',
      directories: 'Organizations and tags',
      safetyLimitPercent: 'Safety limit',
      safetyApproval: 'Beyond the safety limit',
      plannedCallExpiryHours: 'Scheduled changes expire after',
      bulkItemsMax: 'Users per bulk change',
      bulkBodyMaxBytes: 'Size of a bulk change',
      matchingUsersMax: 'Users changed by a filter at once',
      sessionLifetimeSeconds: 'Users stay signed in for',
      sessionIdleSeconds: 'Users are signed out without use after',
      initialPassword: 'Initial passwords',
      initialPasswordLifetimeHours: 'Initial passwords expire after',
      initialPasswordRules: 'Rules for initial passwords',
      signInDelayMaxSeconds: 'Longest delay after failed sign-ins',
      employeeIdQuarantineDays: 'Quarantine of employee IDs',
      usernameQuarantineDays: 'Quarantine of usernames',
      changeNotices: 'Notices about account changes',
      bulkChangeNotices: 'Notices about changes by imports and bulk changes',
      deliveriesPerMinuteMax: 'Messages per minute',
    },
    database: { embedded: 'Embedded', postgres: 'PostgreSQL' },
    directories: { open: 'Any ID can be used', strict: 'Only IDs that exist can be used' },
    initialPassword: { message: 'Sent in the message', link: 'Chosen with a link' },
    passwordRules: { any: 'Any password', full: 'The same as for chosen passwords' },
    percent: (value: number) => `${formatNumber(value)}% of all users`,
    refused: 'Has to be confirmed',
    approval: 'Waits for approval',
    on: 'On',
    off: 'Off',
    none: 'None',
    never: 'Never',
    days: (count: number) => plural(count, 'day'),
    hours: (count: number) => plural(count, 'hour'),
    minutes: (count: number) => plural(count, 'minute'),
    megabytes: (count: number) => `${formatNumber(count)} MB`,
  },
};
