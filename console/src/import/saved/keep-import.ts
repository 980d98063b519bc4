import { newIdempotencyKey } from '@rollcall/client';
import { fileOf, forgetWork, keepWork, workOf } from '../../session/kept-work.js';
import { startCheck } from '../check/run-check.js';
import { loadFile } from '../file/load-file.js';
import type { Dependencies } from '../state/dependencies.js';
import { importIn, isSameWork, type KeptImport, keptImportOf } from '../state/kept-import.js';
import type { Source } from '../state/source.js';
import { type ImportStore, tellWhetherKept } from '../state/store.js';

const lockPrefix = 'rollcall.import.';
const started = new WeakSet<ImportStore>();
let isFailing = false;

// In some private windows, nothing is kept.
tellWhetherKept(() => !isFailing);

/** Restores the import that this browser has of the user, if no other tab shows it, and keeps it from then on. */
export async function keepImport(
  store: ImportStore,
  owner: string,
  dependencies: Dependencies,
): Promise<void> {
  if (started.has(store)) return;
  started.add(store);
  const keeper = createKeeper(store, owner);
  store.subscribe(keeper.changed);
  try {
    await restore(store, owner, keeper, dependencies);
  } catch {
    isFailing = true; // the browser keeps nothing; everything else works
  }
}

type Keeper = ReturnType<typeof createKeeper>;

async function restore(
  store: ImportStore,
  owner: string,
  keeper: Keeper,
  dependencies: Dependencies,
): Promise<void> {
  const elsewhere = await lockedIDs();
  const work = (await workOf(owner)).find(({ id }) => !elsewhere.has(id));
  const kept = work && importIn(work);
  if (!work || !kept) return;
  const content = await fileOf(work.id);
  const { source: chosen, reading } = store.getState();
  if (content === undefined || chosen || reading.state !== 'idle') return; // the user was faster
  const source: Source = { name: kept.name, content };
  keeper.adopt(work.id, source);
  loadFile(store, source, kept.readOptions, dependencies, () => {
    store.dispatch({ type: 'importRestored', kept, keptAt: work.keptAt });
    if (kept.isChecked) void startCheck(store, dependencies);
  });
}

/** Writes one state after another, and leaves out those that are outdated by then. */
function createKeeper(store: ImportStore, owner: string) {
  let id = newIdempotencyKey();
  let file: Source | undefined;
  let written: KeptImport | undefined;
  let isWriting = false;
  let release = lock(id);

  const write = async () => {
    const state = store.getState();
    const kept = keptImportOf(state);
    const isOther = kept !== undefined && state.source !== file;
    if (!isOther && isSameWork(kept, written)) return;
    if (written && (isOther || !kept)) await forgetWork(id);
    written = kept;
    if (!kept) return;
    if (isOther) renew(newIdempotencyKey(), state.source);
    const work = { id, owner, keptAt: Date.now(), content: kept };
    await keepWork(work, isOther ? state.source?.content : undefined);
    isFailing = false;
    await write(); // what has changed meanwhile
  };
  const renew = (to: string, source: Source | undefined) => {
    release();
    id = to;
    file = source;
    release = lock(id);
  };
  return {
    /** Goes on with what was kept before. */
    adopt: (of: string, source: Source) => renew(of, source),
    changed: () => {
      if (isWriting) return;
      isWriting = true;
      // Changes that belong together are written together.
      queueMicrotask(() => {
        write()
          .catch(() => {
            isFailing = true;
            written = undefined;
          })
          .finally(() => {
            isWriting = false;
          });
      });
    },
  };
}

/** Other tabs see which imports are shown somewhere. Browsers have locks on secure origins only. */
function lock(id: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(lockPrefix + id, () => released);
  return release;
}

async function lockedIDs(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name = '' }) => name.replace(lockPrefix, '')));
}
