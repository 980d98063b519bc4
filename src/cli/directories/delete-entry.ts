import { type JsonOption, printJson, printMessage } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { confirmOrAbort } from '../terminal/confirm.js';
import type { Directory } from './directory.js';
import { formatNamed } from './format-entry.js';

interface DeleteEntryOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall organizations delete SERIAL`, `rollcall tags delete SERIAL` */
export function deleteEntry({ noun, operations }: Directory) {
  return async (serial: string, { yes, json }: DeleteEntryOptions): Promise<void> => {
    const rollcall = connectInteractive();
    const { body } = await rollcall.call(operations.get, { path: { serial } });
    await confirmOrAbort(
      `Remove the ${noun} ${formatNamed(body.data)} from the directory? This cannot be undone.`,
      yes,
    );
    const deleted = await rollcall.call(operations.delete, { path: { serial } });
    if (json) printJson(deleted.body.data);
    else printMessage(`Removed ${formatNamed(body.data)} from the directory.`);
  };
}
