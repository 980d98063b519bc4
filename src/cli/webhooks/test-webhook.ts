import type { Schemas } from '#client';
import { type JsonOption, printRecord } from '../output.js';
import type { CommandResult } from '../run.js';
import { connectInteractive } from '../session/connect.js';
import { duration } from '../terminal/numbers.js';

type WebhookTest = Schemas['WebhookTestReply']['data'];

/** `rollcall webhooks test ID` */
export async function testWebhook(id: string, options: JsonOption): Promise<CommandResult> {
  const tested = await connectInteractive().call('testWebhook', { path: { id } });
  printRecord(tested.body.data, options, formatTest);
  return tested.body.data.delivered ? 'done' : 'someFailed';
}

function formatTest({ delivered, statusCode, reason, durationMs }: WebhookTest): [string, string][] {
  return [
    ['Delivered', delivered ? 'yes' : 'no'],
    ...(statusCode === null ? [] : [['Response', String(statusCode)] as [string, string]]),
    ...(reason === null ? [] : [['Reason', reason] as [string, string]]),
    ['Took', duration(durationMs)],
  ];
}
