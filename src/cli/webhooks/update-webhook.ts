import { type JsonOption, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { formatWebhook } from './format-webhook.js';
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
    throw new CommandProblem(
      'wrongUse',
      'Nothing to update. See rollcall webhooks update --help for the options.',
    );
  }
  const updated = await connectInteractive().call('updateWebhook', { path: { id }, body });
  printRecord(updated.body.data, options, formatWebhook);
}
