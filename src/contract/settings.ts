import { Type } from 'typebox';
import { operatorLimitNames } from './limits.js';
import { success } from './shapes.js';
import { version } from './version.js';

const Days = (description: string) => Type.Integer({ minimum: 0, description });

const Limits = Type.Object(Object.fromEntries(operatorLimitNames.map((name) => [name, Type.Integer()])), {
  description: 'The limits that can be configured.',
});

export const SettingsReply = success(
  'SettingsReply',
  Type.Object(
    {
      version: Type.String({ examples: [version] }),
      database: Type.String({ enum: ['embedded', 'postgres'] }),
      timeZone: Type.String({ examples: ['Europe/Berlin'] }),
      directories: Type.String({ enum: ['open', 'strict'] }),
      sessionLifetimeSeconds: Type.Integer(),
      sessionIdleSeconds: Type.Integer(),
      initialPassword: Type.String({
        enum: ['message', 'link'],
        description: 'Whether messages to new users contain a password, or a link to choose one.',
      }),
      initialPasswordLifetimeHours: Type.Integer(),
      initialPasswordRules: Type.String({ enum: ['any', 'full'] }),
      openIdProvider: Type.Boolean({ description: 'Whether users can sign in to applications.' }),
      emailDelivery: Type.String({
        enum: ['smtp', 'files'],
        description: '`files`: emails are written to the outbox folder and reach nobody.',
      }),
      smsDelivery: Type.String({
        enum: ['gateway', 'files'],
        description: '`files`: text messages are written to the outbox folder and reach nobody.',
      }),
      changeNotices: Type.Boolean({ description: 'Whether users are notified when their account changes.' }),
      bulkChangeNotices: Type.Boolean({
        description: 'Whether bulk calls notify users as well, unless a call says otherwise.',
      }),
      safetyLimitPercent: Type.Integer({ description: '0 means no limit.' }),
      safetyApproval: Type.Boolean({
        description: 'Whether a call beyond the safety limit waits for approval.',
      }),
      plannedCallExpiryHours: Type.Integer({ description: '0 means never.' }),
      employeeIdQuarantineDays: Days('0 means no quarantine.'),
      usernameQuarantineDays: Days('0 means no quarantine.'),
      limits: Limits,
    },
    { title: 'Settings', description: 'What this service is configured to do, without secrets.' },
  ),
);
