import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2, { type Attributes, type Connection, type SFTPWrapper } from 'ssh2';
import { onTestFinished } from 'vitest';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

export const sftpUser = 'rollcall';
export const sftpPassword = 'hunter2';

export interface SftpServer {
  readonly port: number;
  readonly connectionsOpen: number;
  /** Called for each read, with its offset. */
  onRead: (offset: number) => 'answer' | 'drop' | 'hang';
}

export interface SftpServerOptions {
  /** Served as `/`. */
  readonly folder: string;
  /** Private keys in PEM or OpenSSH format. */
  readonly hostKeys: readonly string[];
  /** In OpenSSH format: whoever has the private key may sign in. */
  readonly authorizedKey?: string;
  /** How passwords are asked for. */
  readonly method?: 'password' | 'keyboard-interactive';
  /** Whether the server tells when files were modified; it does by default. */
  readonly hasTimes?: boolean;
  /** The longest answer to a read. */
  readonly readMaxBytes?: number;
}

/** The SFTP server of ssh2, for reading, which ends with the test. It runs where no sshd is installed. */
export async function startSftpServer(options: SftpServerOptions): Promise<SftpServer> {
  const open = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [...options.hostKeys] }, (connection) => {
    (connection as Connection & Pick<ssh2.Client, 'setNoDelay'>).setNoDelay(); // types don't know it
    open.add(connection);
    connection.on('close', () => open.delete(connection)).on('error', () => {});
    authenticate(connection, options);
    connection.on('session', (accept) => {
      accept().on('sftp', (start) => serve(start(), options, () => answer(connection)));
    });
  });
  const answer = (connection: Connection) => (offset: number) => {
    const how = running.onRead(offset);
    if (how === 'drop') connection.end();
    return how;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const connection of open) connection.end();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  const running: SftpServer = {
    port: (server.address() as AddressInfo).port,
    get connectionsOpen() {
      return open.size;
    },
    onRead: () => 'answer',
  };
  return running;
}

function authenticate(
  connection: Connection,
  { authorizedKey, method = 'password' }: SftpServerOptions,
): void {
  connection.on('authentication', (context) => {
    if (context.username !== sftpUser) return context.reject();
    if (context.method === 'publickey' && authorizedKey !== undefined) {
      const key = ssh2.utils.parseKey(authorizedKey);
      if (key instanceof Error || Array.isArray(key)) throw new Error('not an authorized key');
      const isKnown = context.key.data.equals(key.getPublicSSH());
      const { blob, signature, hashAlgo } = context;
      // Clients first ask whether a key is known.
      const isProven = !signature || !blob || key.verify(blob, signature, hashAlgo);
      return isKnown && isProven ? context.accept() : context.reject();
    }
    if (context.method === 'password' && method === 'password' && context.password === sftpPassword) {
      return context.accept();
    }
    if (context.method === 'keyboard-interactive' && method === 'keyboard-interactive') {
      return context.prompt([{ prompt: 'Password: ', echo: false }], ([given]) =>
        given === sftpPassword ? context.accept() : context.reject(),
      );
    }
    context.reject([method]);
  });
}

function serve(
  sftp: SFTPWrapper,
  { folder, hasTimes = true, readMaxBytes = Number.POSITIVE_INFINITY }: SftpServerOptions,
  reads: () => (offset: number) => 'answer' | 'drop' | 'hang',
): void {
  const onRead = reads();
  const listings = new Map<string, string[]>();
  const failing = (id: number, act: () => void) => {
    try {
      act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      sftp.status(id, code === 'ENOENT' ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.PERMISSION_DENIED);
    }
  };
  const stat = (id: number, path: string) =>
    failing(id, () => sftp.attrs(id, attributesOf(join(folder, path), hasTimes)));
  sftp.on('STAT', stat).on('LSTAT', stat);
  sftp.on('OPENDIR', (id, path) =>
    failing(id, () => {
      const handle = Buffer.from(String(listings.size));
      listings.set(
        handle.toString(),
        readdirSync(join(folder, path)).map((name) => join(path, name)),
      );
      sftp.handle(id, handle);
    }),
  );
  sftp.on('READDIR', (id, handle) => {
    const left = listings.get(handle.toString()) ?? [];
    if (left.length === 0) return sftp.status(id, STATUS_CODE.EOF);
    sftp.name(
      id,
      left.splice(0, 2).map((path) => {
        const filename = path.slice(path.lastIndexOf('/') + 1);
        return { filename, longname: filename, attrs: attributesOf(join(folder, path), hasTimes) };
      }),
    );
  });
  sftp.on('OPEN', (id, path, flags) =>
    failing(id, () => {
      if (flags !== OPEN_MODE.READ) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(openSync(join(folder, path), 'r'));
      sftp.handle(id, handle);
    }),
  );
  sftp.on('READ', (id, handle, offset, length) => {
    if (onRead(offset) !== 'answer') return;
    const file = handle.readUInt32BE();
    const rest = Math.max(fstatSync(file).size - offset, 0);
    const bytes = Buffer.alloc(Math.min(length, readMaxBytes, rest));
    if (bytes.length === 0) return sftp.status(id, STATUS_CODE.EOF);
    readSync(file, bytes, 0, bytes.length, offset);
    sftp.data(id, bytes);
  });
  sftp.on('CLOSE', (id, handle) => {
    closeSync(handle.readUInt32BE());
    sftp.status(id, STATUS_CODE.OK);
  });
}

function attributesOf(path: string, hasTimes: boolean): Attributes {
  const { mode, uid, gid, size, atimeMs, mtimeMs } = statSync(path);
  const times = { atime: Math.floor(atimeMs / 1_000), mtime: Math.floor(mtimeMs / 1_000) };
  return { mode, uid, gid, size, ...(hasTimes && times) } as Attributes; // the library requires what the protocol doesn't
}
