import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ByteReader } from '../../../domain/backups/format/byte-reader.js';
import { readHeader, UnusableBackup } from '../../../domain/backups/format/header.js';
import { isFileError } from '../../../files/whole-file.js';
import { pathOf } from '../../host.js';
import { type ListOptions, printList } from '../../output.js';
import { CommandProblem } from '../../problem.js';
import { formatTime } from '../../terminal/format-time.js';
import { count } from '../../terminal/numbers.js';
import { serviceConfig } from '../service-config.js';

interface ListedBackup {
  readonly file: string;
  readonly createdAt: string;
  readonly bytes: number;
  readonly schema: string;
  readonly encrypted: boolean;
}

/** `rollcall backup list [directory]`. Reads only the beginning of each file. */
export async function listBackups(directory: string | undefined, options: ListOptions): Promise<void> {
  const { backupDir } = serviceConfig(options);
  const from = directory ?? backupDir;
  if (from === undefined)
    throw new CommandProblem('wrongUse', 'Name a directory, or set ROLLCALL_BACKUP_DIR.');
  await printList(backupsIn(from), options, {
    headings: ['file', 'made', 'bytes', 'schema', 'encrypted'],
    row: ({ file, createdAt, bytes, schema, encrypted }) => [
      ...[file, formatTime(createdAt), count(bytes), schema, encrypted ? 'yes' : 'no'],
    ],
    empty: `There are no backups in ${from}.`,
  });
}

async function* backupsIn(directory: string): AsyncGenerator<ListedBackup> {
  for (const name of namesIn(directory)) {
    const backup = await listed(join(pathOf(directory), name));
    if (backup) yield { file: name, ...backup };
  }
}

function namesIn(directory: string): string[] {
  try {
    const entries = readdirSync(pathOf(directory), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'));
    return files.map(({ name }) => name).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem('wrongUse', `Cannot read ${directory} (${code}).`);
  }
}

/** Undefined for other files, and for those that this user may not read. */
async function listed(path: string): Promise<Omit<ListedBackup, 'file'> | undefined> {
  const stream = createReadStream(path);
  try {
    const { header } = await readHeader(new ByteReader(stream));
    return {
      createdAt: header.createdAt,
      bytes: statSync(path).size,
      schema: header.migrations.at(-1)?.name ?? 'none',
      encrypted: header.encryption !== null,
    };
  } catch (error) {
    if (error instanceof UnusableBackup || isFileError(error)) return undefined;
    throw error;
  } finally {
    stream.destroy();
  }
}
