import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { askBeforeReload } from '../../copy/language.js';
import { whenSignedOut } from '../../session/signed-out.js';
import type { ImportAction } from './actions.js';
import { importReducer } from './reducer.js';
import { type ImportState, initialState, isRunning } from './state.js';

export interface ImportStore
  extends Pick<StoreApi<ImportState>, 'getState' | 'getInitialState' | 'subscribe'> {
  dispatch(action: ImportAction): void;
}

export function createImportStore(): ImportStore {
  const store = createStore<ImportState>(initialState);
  return { ...store, dispatch: (action) => store.setState((state) => importReducer(state, action), true) };
}

let current: { readonly owner: string; readonly store: ImportStore } | undefined;

/** The store outlives the page, so that a run goes on while its user looks elsewhere. Another user gets a new one. */
export function importStoreOf(owner: string): ImportStore {
  if (current?.owner !== owner) current = { owner, store: createImportStore() };
  return current.store;
}

/** Stops what is going on and forgets the file. A run must not continue as whoever signs in next. */
export function discardImport(): void {
  const store = current?.store;
  if (!store) return;
  const { reading, check } = store.getState();
  if (reading.state === 'reading') reading.cancel();
  check?.abort.abort();
  store.dispatch({ type: 'discarded' });
  current = undefined;
}

let isKept = () => false;

/** Says whether the browser keeps the import across a reload. */
export function tellWhetherKept(tell: () => boolean): void {
  isKept = tell;
}

/** A run stops with the page. Edits are kept, unless the browser keeps nothing. */
export function isReloadLossy(state: ImportState): boolean {
  return isRunning(state) || (state.rows !== undefined && !isKept());
}

whenSignedOut(discardImport);
askBeforeReload(() => current !== undefined && isReloadLossy(current.store.getState()));

const StoreContext = createContext<ImportStore | undefined>(undefined);

export const ImportStoreProvider = StoreContext.Provider;

export function useImportStore(): ImportStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error('The steps of an import need an ImportStoreProvider.');
  return store;
}

export function useImportState(): ImportState {
  return useStore(useImportStore());
}
