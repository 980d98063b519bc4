import type { Schemas } from '@rollcall/client';
import { create } from 'zustand';

export type UserEventData = Schemas['UserEvent']['data'];

export interface LiveChange {
  readonly type: string;
  readonly timestamp: string;
  readonly data: UserEventData;
}

/** `off` if the user may not follow changes, or the page has been hidden for long. */
type Connection = 'off' | 'connecting' | 'open' | 'lost';

interface LiveState {
  readonly connection: Connection;
}

export const useLive = create<LiveState>(() => ({ connection: 'off' }));

export function setConnection(connection: Connection): void {
  if (useLive.getState().connection !== connection) useLive.setState({ connection });
}

type Listener = (change: LiveChange) => void;
const listeners = new Set<Listener>();

/** Calls the listener for every change to a user, as it happens. Returns a function that ends it. */
export function onLiveChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellListeners(change: LiveChange): void {
  for (const listener of listeners) listener(change);
}
