import { type JsonOption, printJson, say } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectBriefly } from '../session/connect.js';
import { counted } from '../terminal/numbers.js';

export interface ReleaseOptions extends JsonOption {
  readonly all?: boolean | undefined;
  readonly requestId?: string | undefined;
}

/** `rollcall deliveries release` */
export async function releaseDeliveries(ids: readonly string[], options: ReleaseOptions): Promise<void> {
  const { all, requestId, json } = options;
  const ways = [
    ...(all ? [{ all }] : []),
    ...(requestId === undefined ? [] : [{ requestId }]),
    ...(ids.length === 0 ? [] : [{ ids }]),
  ];
  const [body] = ways;
  if (!body || ways.length > 1) {
    throw new CommandProblem(
      'wrongUse',
      'Say which of those that are held go out: IDs, or --request-id, or --all.',
    );
  }
  const { released } = (await connectBriefly().call('releaseDeliveries', { body })).body.data;
  if (json) printJson({ released });
  else
    say(
      released === 0 ? 'None of these was held.' : `${counted(released, 'delivery', 'deliveries')} released.`,
    );
}
