import { ConnectionFailed, isRollcallError } from '@rollcall/client';
import { describeError } from '../../components/error-message.js';
import { usersListCopy } from '../../copy/copy.js';
import { expireSessionOnUnauthorized, rollcall } from '../../session/api.js';

/** What administrators do for each of the selected users. */
export const runKinds = ['resetPasswords', 'resendMessages'] as const;
export type RunKind = (typeof runKinds)[number];

/** A user who has no message that could be sent again. */
class NothingToSend extends Error {}

const latestMax = 10;

export const userActions: Readonly<Record<RunKind, (serial: string) => Promise<void>>> = {
  resetPasswords: async (serial) => {
    await rollcall.call('resetPassword', { path: { serial } });
  },
  resendMessages: async (userSerial) => {
    const { body } = await rollcall.call('listDeliveries', { query: { userSerial, limit: latestMax } });
    const latest = body.data.items.find(
      ({ kind, state }) => kind !== 'account-changed' && state !== 'cancelled',
    );
    if (!latest) throw new NothingToSend();
    await rollcall.call('resendDelivery', { path: { id: latest.id } });
  },
};

/** Undefined if the session has ended, or the service can't be reached: then it's worth waiting. */
export function explainFailure(error: unknown): string | undefined {
  if (error instanceof NothingToSend) return usersListCopy.runs.nothingToSend;
  if (isRollcallError(error) && error.status === 401) {
    expireSessionOnUnauthorized(error);
    return undefined;
  }
  return error instanceof ConnectionFailed ? undefined : describeError(error);
}
