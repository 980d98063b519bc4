import { type JsonOption, printJson, printMessage } from '../output.js';
import { connectInteractive } from '../session/connect.js';

/** `rollcall deliveries resend ID` */
export async function resendDelivery(id: string, { json }: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('resendDelivery', { path: { id } });
  if (json) printJson(body.data);
  else printMessage(`Resending (${body.data.state}).`);
}
