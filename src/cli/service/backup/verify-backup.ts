import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type InspectedBackup,
  inspectBackup,
  totalRows,
  verifyBackup as verifyContent,
} from '../../../domain/backups/restore-backup.js';
import type { Database } from '../../../storage/database.js';
import { openEmbedded } from '../../../storage/embedded/open-embedded.js';
import { pathOf } from '../../host.js';
import { printRecord } from '../../output.js';
import { formatTime } from '../../terminal/format-time.js';
import { count } from '../../terminal/numbers.js';
import { createProgress } from '../../terminal/progress.js';
import { withFileErrors } from '../../with-file-errors.js';
import { serviceConfig } from '../service-config.js';
import { fileProblem } from './create-backup.js';

/** `rollcall backup verify <file>` */
export async function verifyBackup(file: string, options: { json?: boolean }): Promise<void> {
  const { backupPassphrase } = serviceConfig(options);
  await inspectFile(file, backupPassphrase); // finds damage without a database, which takes seconds to create
  const backup = await withScratch((scratch) =>
    readFile(file, (content, onRows) => verifyContent(scratch, content, backupPassphrase, onRows)),
  );
  const { bytes, header, rows } = backup;
  const { encryption, ...facts } = header;
  const record = { file, bytes, ...facts, encrypted: encryption !== null, rows };
  printRecord(record, options, () => [
    ['file', `${file}: complete and undamaged`],
    ['bytes', count(bytes)],
    ['made', `${formatTime(header.createdAt)}, by Rollcall ${header.rollcallVersion}`],
    ['database', header.engine === 'embedded' ? 'embedded' : 'PostgreSQL'],
    ['schema', header.migrations.at(-1)?.name ?? 'none'],
    ['encrypted', encryption ? 'yes' : 'no'],
    ['secret key', keyText(backup)],
    ['users', count(rows.users ?? 0)],
    ['changes', count((rows.changes ?? 0) + (rows.archived_changes ?? 0))],
    ['rows', count(totalRows(backup))],
  ]);
}

function keyText({ header: { secretKeyIds, includesKeys } }: InspectedBackup): string {
  if (secretKeyIds.length === 0) return 'not needed';
  return `${secretKeyIds.join(', ')}${includesKeys ? ', included' : ', not included'}`;
}

/** Runs with an embedded database that is removed afterwards. */
async function withScratch<T>(use: (scratch: Database) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-verify-'));
  try {
    const scratch = await openEmbedded(directory);
    return await use(scratch).finally(() => scratch.close());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type InspectedFile = InspectedBackup & { readonly bytes: number };

/** Reads the whole file, and detects any changed or missing byte. */
export function inspectFile(file: string, passphrase: string | undefined): Promise<InspectedFile> {
  return readFile(file, (content, onRows) => inspectBackup(content, passphrase, onRows));
}

/** Shows a progress bar. */
async function readFile(
  file: string,
  inspect: (content: AsyncIterable<Buffer>, onRows: (count: number) => void) => Promise<InspectedBackup>,
): Promise<InspectedFile> {
  return withFileErrors(
    async () => {
      const bytes = statSync(pathOf(file)).size;
      const progress = createProgress({ doing: 'Verifying', unit: 'rows' });
      let done = 0;
      const onRows = (more: number) => {
        done += more;
        progress.at(done);
      };
      try {
        return { bytes, ...(await inspect(fileBytes(file), onRows)) };
      } finally {
        progress.end();
      }
    },
    (error) => fileProblem(file, error),
  );
}

export function fileBytes(file: string): AsyncIterable<Buffer> {
  return createReadStream(pathOf(file), { highWaterMark: 1024 * 1024 });
}
