import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { BulkAction } from './actions.js';
import { bulkReducer } from './reducer.js';
import type { BulkKind } from './service-calls.js';
import { type BulkState, initialState } from './state.js';

export interface BulkStore extends Pick<StoreApi<BulkState>, 'getState' | 'getInitialState' | 'subscribe'> {
  dispatch(action: BulkAction): void;
}

export function createBulkStore(kind: BulkKind): BulkStore {
  const store = createStore<BulkState>(() => initialState(kind));
  return { ...store, dispatch: (action) => store.setState((state) => bulkReducer(state, action), true) };
}

const stores = new Map<BulkKind, { readonly owner: string; readonly store: BulkStore }>();

/** Stores outlive the page, so that a run goes on while its user looks elsewhere. Other users get a new one. */
export function bulkStoreFor(kind: BulkKind, owner: string): BulkStore {
  const existing = stores.get(kind);
  if (existing?.owner === owner) return existing.store;
  const store = createBulkStore(kind);
  stores.set(kind, { owner, store });
  return store;
}

const StoreContext = createContext<BulkStore | undefined>(undefined);

export const BulkStoreProvider = StoreContext.Provider;

export function useBulkStore(): BulkStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error('Bulk pages need a BulkStoreProvider.');
  return store;
}

export function useBulkState(): BulkState {
  return useStore(useBulkStore());
}
