import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { freePort } from './postgres-server.js';

/** Debian installs it in a directory that is not on every PATH, and sshd insists on an absolute path. */
const path = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'].find(existsSync);

/**
 * As root, sshd would need a directory in /run. As another user, it lets only that user sign in, and asks PAM about one
 * without a password.
 */
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { username: 'nobody', uid: 65534, gid: 65534 } : userInfo();

/** A directory that sshd's user may enter: that of whoever runs the tests may be private. */
const parent = [tmpdir(), '/tmp', '/var/tmp'].find(
  (each) => spawnSync('test', ['-x', each], { uid: user.uid, gid: user.gid }).status === 0,
);

const hasPrograms = path !== undefined && spawnSync('ssh-keygen', ['-?']).error === undefined;

export const hasSshd = hasPrograms && parent !== undefined;

export const skippedSshdTests = `Tests with OpenSSH skipped: ${
  hasPrograms
    ? `the user ${user.username} may not enter any directory for temporary files.`
    : 'sshd is not installed. Install it (apt install openssh-server, brew install openssh).'
}`;

export interface Sshd {
  readonly port: number;
  readonly username: string;
  /** Where it serves the files. */
  readonly folder: string;
  /** Of a user of this machine, for this server only. */
  readonly privateKey: string;
  /** As `ssh-keygen -lf` prints it, by kind. */
  readonly fingerprints: Readonly<Record<'ed25519' | 'rsa', string>>;
}

/** OpenSSH on a free port of this machine, with keys of its own, until the end of the test. It serves copies of the files. */
export async function startSshd(files: string): Promise<Sshd> {
  const home = mkdtempSync(join(parent ?? '', 'rollcall-sshd-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'files');
  cpSync(files, folder, { recursive: true, preserveTimestamps: true });
  const file = (name: string) => join(home, name);
  for (const kind of ['ed25519', 'rsa', 'user']) {
    const type = kind === 'rsa' ? 'rsa' : 'ed25519';
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', '', '-f', file(kind)]);
  }
  const port = await freePort();
  writeFileSync(
    file('sshd_config'),
    `ListenAddress 127.0.0.1
Port ${port}
HostKey ${file('ed25519')}
HostKey ${file('rsa')}
AuthorizedKeysFile ${file('user.pub')}
PidFile none
StrictModes no
UsePAM ${isRoot ? 'yes' : 'no'}
PasswordAuthentication no
Subsystem sftp internal-sftp
`,
  );
  const { username, uid, gid } = user;
  for (const each of [home, ...readdirSync(home, { recursive: true }).map((name) => file(`${name}`))])
    chownSync(each, uid, gid);
  const server = spawn(path ?? '', ['-D', '-e', '-f', file('sshd_config')], { uid, gid });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  await listening(server.stderr);
  const fingerprintOf = (kind: string) =>
    /SHA256:\S+/.exec(execFileSync('ssh-keygen', ['-lf', file(`${kind}.pub`)], { encoding: 'utf8' }))?.[0] ??
    '';
  return {
    port,
    username,
    folder,
    privateKey: readFileSync(file('user'), 'utf8'),
    fingerprints: { ed25519: fingerprintOf('ed25519'), rsa: fingerprintOf('rsa') },
  };
}

/** Throws what sshd says if it ends instead. */
async function listening(messages: Readable): Promise<void> {
  let log = '';
  for await (const chunk of messages.iterator({ destroyOnReturn: false })) {
    log += chunk;
    if (log.includes('Server listening')) {
      messages.resume();
      return;
    }
  }
  throw new Error(`sshd does not start: ${log}`);
}
