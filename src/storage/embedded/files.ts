import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncDirectory } from './sync-to-disk.js';

interface NodeStream {
  readonly nfd?: number;
  readonly node: unknown;
}

/** Only the owner may read, write or enter new files. */
const ownerBits = ~0o077;

/**
 * NodeFS has no fsync operation, so PostgreSQL's calls would have no effect. This class passes them to the disk. NodeFS
 * also sets the mode of each new file itself, mostly to 0666, ignoring the umask of the process.
 */
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
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const createForOwner = ({ NODEFS }: any) => {
      const { doSetAttr, node_ops } = NODEFS;
      const { mknod } = node_ops;
      node_ops.mknod = (parent: unknown, name: string, mode: number, device: number) =>
        mknod(parent, name, mode & ownerBits, device);
      NODEFS.doSetAttr = (
        file: unknown,
        node: unknown,
        attributes: { mode?: number },
        ...calls: unknown[]
      ) => {
        const { mode } = attributes;
        const masked = mode === undefined ? attributes : { ...attributes, mode: mode & ownerBits };
        doSetAttr(file, node, masked, ...calls);
      };
    };
    const preRun = [emscriptenOpts.preRun ?? [], addFsync, createForOwner].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}
