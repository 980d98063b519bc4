import type { JsonOption } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { printWithSecret } from './format-client.js';

export interface RotateOptions extends JsonOption {
  readonly overlapSeconds?: number | undefined;
}

/** `rollcall clients rotate ID` */
export async function rotateClientSecret(id: string, { overlapSeconds, json }: RotateOptions): Promise<void> {
  const { body } = await connectInteractive().call('rotateClientSecret', {
    path: { id },
    body: overlapSeconds === undefined ? {} : { overlapSeconds },
  });
  printWithSecret(body.data, { json });
}
