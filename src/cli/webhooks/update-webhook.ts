import { type JsonOption, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectBriefly } from '../session/connect.js';
import { shownWebhook } from './shown-webhook.js';
import { settingsOf, type WebhookSettings } from './webhook-settings.js';

export interface UpdateWebhookOptions extends WebhookSettings, JsonOption {
  readonly url?: string | undefined;
  readonly active?: boolean | undefined;
}

/** `rollcall webhooks update ID` */
export async function updateWebhook(id: string, options: UpdateWebhookOptions): Promise<void> {
  const { url, active } = options;
  const body = {
    ...settingsOf(options),
    ...(url === undefined ? {} : { url }),
    ...(active === undefined ? {} : { isActive: active }),
  };
  if (Object.keys(body).length === 0) {
    throw new CommandProblem('wrongUse', 'Say what to change: rollcall webhooks update --help lists it.');
  }
  const updated = await connectBriefly().call('updateWebhook', { path: { id }, body });
  printRecord(updated.body.data, options, shownWebhook);
}
