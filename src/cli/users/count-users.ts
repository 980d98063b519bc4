import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { err } from '../terminal/style.js';
import { type UserFilters, userQuery } from './filters.js';
import { maybeMissing } from './matches.js';

export interface CountOptions extends JsonOption {
  readonly count?: boolean | undefined;
  readonly approximate?: boolean | undefined;
}

/** `rollcall users list --count` */
export async function countUsers(options: UserFilters & CountOptions): Promise<void> {
  const total = options.approximate ? 'approximate' : 'exact';
  const query = { ...userQuery(options), limit: 1, total } as const;
  const { body } = await connectInteractive().call('listUsers', { query });
  const { total: counted } = body.data;
  if (!counted) throw new Error('The service did not return a total.');
  if (options.json) printJson(counted);
  else print(String(counted.count));
  if (!body.data.isComplete) printMessage(err.dim(maybeMissing));
}
