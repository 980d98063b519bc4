import { type JsonOption, printJson, say } from '../output.js';
import { connectBriefly } from '../session/connect.js';

/** `rollcall deliveries resend ID` */
export async function resendDelivery(id: string, { json }: JsonOption): Promise<void> {
  const { body } = await connectBriefly().call('resendDelivery', { path: { id } });
  if (json) printJson(body.data);
  else say(`It is sent again (${body.data.state}).`);
}
