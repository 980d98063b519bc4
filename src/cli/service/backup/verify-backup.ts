import { createReadStream, statSync } from 'node:fs';
import { type InspectedBackup, inspectBackup, totalRows } from '../../../domain/backups/restore-backup.js';
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
  const backup = await inspectFile(file, backupPassphrase);
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

/** Reads the whole file, with a progress bar. */
export async function inspectFile(
  file: string,
  passphrase: string | undefined,
): Promise<InspectedBackup & { readonly bytes: number }> {
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
        return { bytes, ...(await inspectBackup(fileBytes(file), passphrase, onRows)) };
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
