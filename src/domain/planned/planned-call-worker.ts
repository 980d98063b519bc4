import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  dropPlannedCall,
  endPlannedCall,
  expirePlannedCalls,
  finishedPlannedCalls,
  insertCallEvent,
  isCallDue,
} from '../../storage/changes/planned-calls.js';
import { type Database, transaction } from '../../storage/database.js';
import { databaseOutage } from '../../storage/errors.js';
import type { PlannableContext } from './plannable-calls.js';
import { runDueCall } from './run-due-call.js';

export interface PlannedCallWorker {
  stop(): Promise<void>;
}

/** Runs planned calls when they are due, and ends those that could not run in time. Any number of nodes can do this. */
export function startPlannedCalls(context: PlannableContext, logger: Logger): PlannedCallWorker {
  const stopping = new AbortController();
  const { signal } = stopping;

  const next = async (): Promise<boolean> => {
    if (!(await isCallDue(context.database.pool))) return false;
    await expireCalls(context.database);
    return runDueCall(context);
  };

  const loop = async () => {
    while (!signal.aborted) {
      const hasRun = await next().catch((error: unknown) => {
        if (databaseOutage(error) === undefined) logger.error({ err: error }, 'cannot run a planned call');
        return false;
      });
      if (!hasRun) {
        await pause(context.limits.plannedCallPollMs, undefined, { signal }).catch(() => {});
      }
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}

export async function expireCalls(database: Database): Promise<void> {
  await transaction(database, async (tx) => {
    for (const callId of await finishedPlannedCalls(tx)) await endPlannedCall(tx, callId);
    for (const callId of await expirePlannedCalls(tx)) {
      await dropPlannedCall(tx, callId);
      await insertCallEvent(tx, 'call.expired', { actor: null, requestId: null, callId });
    }
  });
}
