import { type JsonOption, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatWebhook } from './format-webhook.js';

export interface ReplayOptions extends JsonOption {
  readonly from: number;
}

/** `rollcall webhooks replay ID --from SEQUENCE` */
export async function replayWebhook(id: string, options: ReplayOptions): Promise<void> {
  const body = { fromSequence: options.from };
  const replayed = await connectInteractive().call('replayWebhook', { path: { id }, body });
  printRecord(replayed.body.data, options, formatWebhook);
}
