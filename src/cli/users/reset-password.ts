import { type SerialOption, serialOf } from '../find-user.js';
import { type JsonOption, print, printJson, say } from '../output.js';
import { connectBriefly } from '../session/connect.js';

/** `rollcall users reset-password ID` */
export async function resetPassword(id: string, options: SerialOption & JsonOption): Promise<void> {
  const rollcall = connectBriefly();
  const serial = await serialOf(rollcall, id, options);
  const { body } = await rollcall.call('resetPassword', { path: { serial } });
  if (options.json) printJson({ serial, ...body.data });
  else {
    say(
      'A new password is on its way, and has to be changed at the next sign-in. The delivery that brings it:',
    );
    print(body.data.deliveryId);
  }
}
