import { type SerialOption, serialOf } from '../find-user.js';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { connectInteractive } from '../session/connect.js';

/** `rollcall users reset-password ID` */
export async function resetPassword(id: string, options: SerialOption & JsonOption): Promise<void> {
  const rollcall = connectInteractive();
  const serial = await serialOf(rollcall, id, options);
  const { body } = await rollcall.call('resetPassword', { path: { serial } });
  if (options.json) printJson({ serial, ...body.data });
  else {
    printMessage('A new password is being sent. The user has to change it at the next sign-in. Delivery:');
    print(body.data.deliveryId);
  }
}
