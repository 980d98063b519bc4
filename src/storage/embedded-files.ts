import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncDirectory } from './embedded-sync.js';

interface NodeStream {
  readonly nfd?: number;
  readonly node: unknown;
}

/** NodeFS has no fsync operation, so PostgreSQL's calls would end in nothing. This one passes them to the disk. */
export class DurableNodeFS extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options);
    // biome-ignore lint/suspicious/noExplicitAny: the Emscripten module has no types for its file systems
    const addFsync = (module: any) => {
      module.NODEFS.stream_ops.fsync = (stream: NodeStream) => {
        if (stream.nfd === undefined) syncDirectory(module.NODEFS.realPath(stream.node));
        else fsyncSync(stream.nfd);
        return 0;
      };
    };
    const preRun = [emscriptenOpts.preRun ?? [], addFsync].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}
