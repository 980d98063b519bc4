import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncDirectory } from './data-dir.js';

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

interface ImageEntry {
  readonly path: string;
  /** Undefined for a directory. */
  readonly content: Uint8Array | undefined;
}

/**
 * Creates a cluster from an image. PGlite can load one itself, but keeps 40 MB more for as long as it runs, and syncs
 * nothing: a power cut after the first start could leave tables of the catalog empty.
 */
export function unpackImage(image: string, cluster: string): void {
  const directories = new Set([cluster]);
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  for (const { path, content } of entriesOf(gunzipSync(readFileSync(image)))) {
    const target = join(cluster, path);
    const directory = content ? dirname(target) : target;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    directories.add(directory);
    if (content) writeSynced(target, content);
  }
  for (const directory of directories) syncDirectory(directory);
}

function writeSynced(path: string, content: Uint8Array): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(file, content, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const blockBytes = 512;

/** The entries of a tar archive: a header of one block each, then the content in whole blocks. */
function* entriesOf(archive: Buffer): Iterable<ImageEntry> {
  for (let at = 0; at + blockBytes <= archive.length && archive[at] !== 0; ) {
    const text = (from: number, bytes: number) =>
      archive.toString('latin1', at + from, at + from + bytes).replace(/\0.*$/s, '');
    const bytes = Number.parseInt(text(124, 12), 8) || 0;
    const isDirectory = text(156, 1) === '5';
    const start = at + blockBytes;
    yield {
      path: join(text(345, 155), text(0, 100)),
      content: isDirectory ? undefined : archive.subarray(start, start + bytes),
    };
    at = start + Math.ceil(bytes / blockBytes) * blockBytes;
  }
}
