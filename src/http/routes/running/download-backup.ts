import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { backupFileName } from '../../../domain/backups/backup-worker.js';
import { type DownloadContext, downloadBackup } from '../../../domain/backups/download-backup.js';
import { callerOf } from '../../authentication.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { succeeded } from '../../request-rejected.js';

const mediaType = 'application/octet-stream';

/** PostgreSQL keeps the snapshot for this long as well. */
const stalledMaxMs = 600_000;

export function downloadBackupRoute(app: FastifyInstance, context: DownloadContext): void {
  app.get('/service/backup', {
    exposeHeadRoute: false, // it would make a backup as well
    config: { scope: 'access:admin', plain: true, isSensitive: true },
    schema: describeOperation({
      operationId: 'downloadBackup',
      summary: 'Download a backup',
      description:
        'Everything that is stored, in one snapshot, in the format that `rollcall restore` reads. It is not encrypted, but webhook secrets and passwords waiting to be sent are, with keys that it does not contain. It contains no key that signs tokens. A download that was cut off is recognized by `rollcall backup verify`. It is recorded as an access event.',
      tag: 'Operations',
      secured: true,
      success: {
        status: 200,
        description: 'The backup.',
        mediaType,
        schema: Type.String({ format: 'binary' }),
        example: 'rollcall-backup 1 {"rollcallVersion":"…',
        headers: { 'content-disposition': 'Suggests a file name.' },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'BACKUP_BUSY', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const download = succeeded(await downloadBackup(context, callerOf(request)));
      // A caller who keeps the connection open but stops reading would keep everyone else from making a backup.
      reply.raw.setTimeout(stalledMaxMs, () => reply.raw.destroy());
      return reply
        .type(mediaType)
        .header('content-disposition', `attachment; filename="${backupFileName(new Date())}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(download.bytes, { objectMode: false }));
    },
  });
}
