import { RequestFailed, type Schemas } from '@rollcall/client';
import { useRef } from 'react';
import { rollcall } from '../../session/api.js';
import { type Draft, draftFields, submittedValue } from '../form/draft.js';

type Creation = Schemas['CreateUser'];

/** Empty fields are left out, so that the service applies its defaults. */
export function creationOf(draft: Draft, password: string, isActive: boolean): Creation {
  const given = draftFields.map((field) => [field, submittedValue(draft, field)] as const);
  const filled = given.filter(([, value]) => value !== null && value.length > 0);
  const secret = password === '' ? {} : { password };
  return { ...Object.fromEntries(filled), ...secret, isActive } as Creation;
}

/**
 * Creates or rehires a user and returns the serial. Without a response, sending the same values again reuses the key, so that
 * no user is created twice.
 */
export function useCreate(): (creation: Creation, rehire: boolean) => Promise<string> {
  const open = useRef<{ readonly key: string; readonly sent: string }>(undefined);
  return async (creation, rehire) => {
    const sent = JSON.stringify({ creation, rehire });
    const key = open.current?.sent === sent ? open.current.key : newKey();
    open.current = { key, sent };
    try {
      const headers = { 'idempotency-key': key };
      const query = rehire ? { rehire } : {};
      const { body } = await rollcall.call('createUser', { headers, query, body: creation });
      return body.data.serial;
    } catch (error) {
      if (error instanceof RequestFailed && !error.outcomeUnknown) open.current = undefined;
      throw error;
    }
  };
}

/** Browsers have crypto.randomUUID only on secure origins. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
