import { type JsonOption, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { counted } from '../terminal/numbers.js';

export interface ReleaseOptions extends JsonOption {
  readonly all?: boolean | undefined;
  readonly requestId?: string | undefined;
}

/** `rollcall deliveries release` */
export async function releaseDeliveries(ids: readonly string[], options: ReleaseOptions): Promise<void> {
  const { all, requestId, json } = options;
  const selections = [
    ...(all ? [{ all }] : []),
    ...(requestId === undefined ? [] : [{ requestId }]),
    ...(ids.length === 0 ? [] : [{ ids }]),
  ];
  const [body] = selections;
  if (!body || selections.length > 1) {
    throw new CommandProblem(
      'wrongUse',
      'Specify which held deliveries to release: IDs, --request-id or --all.',
    );
  }
  const { released } = (await connectInteractive().call('releaseDeliveries', { body })).body.data;
  if (json) printJson({ released });
  else
    printMessage(
      released === 0
        ? 'None of these deliveries is held.'
        : `${counted(released, 'delivery', 'deliveries')} released.`,
    );
}
