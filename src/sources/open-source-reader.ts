import { SpanKind } from '@opentelemetry/api';
import { SourceFailed } from '../domain/feeds/source-problem.js';
import type {
  FeedSource,
  FileVersion,
  OpenedSource,
  SourceReader,
  SourceSecret,
} from '../domain/feeds/source-reader.js';
import { traced } from '../telemetry/tracing.js';
import { checkedVersion } from './file-version.js';
import { openFolder } from './folder-source.js';
import { openHttps } from './https-source.js';
import { startDeadline } from './read-deadline.js';
import { openS3 } from './s3-source.js';
import type { SourceContext, SourceOptions } from './source-context.js';

/** Reads files wherever feeds have them. Connections belong to one file, so nothing needs to be closed. */
export function openSourceReader(options: SourceOptions): SourceReader {
  return {
    open: (source, secret, known, signal) => {
      const attributes = { 'rollcall.source.type': source.type };
      return traced({ name: 'open source', kind: SpanKind.CLIENT, attributes }, async () => {
        const deadline = startDeadline(signal, options.timeouts);
        try {
          const opened = await openOf(source, secret, known, { ...options, deadline });
          if (opened.status === 'file') checkedVersion(opened.version);
          else deadline.end();
          return opened;
        } catch (error) {
          deadline.end();
          if (error instanceof SourceFailed) return { status: 'failed', problem: error.problem };
          throw error;
        }
      });
    },
  };
}

async function openOf(
  source: FeedSource,
  secret: SourceSecret,
  known: FileVersion | null,
  context: SourceContext,
): Promise<OpenedSource> {
  switch (source.type) {
    case 'https':
      return openHttps(source, secret, known, context);
    case 'sftp': {
      // Only who uses SFTP loads the library.
      const { openSftp } = await import('./sftp-source.js');
      return openSftp(source, secret, known, context);
    }
    case 's3':
      return openS3(source, secret, known, context);
    case 'folder':
      return openFolder(source, known, context);
    case 'upload':
      throw new Error('an uploaded file needs no reader');
  }
}
