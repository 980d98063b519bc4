import { choice } from '../kinds.js';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const logFormats = ['auto', 'json', 'pretty'] as const;

export const loggingSettings = {
  logLevel: choice('LOG_LEVEL', logLevels, 'info', 'Minimum severity to log.'),
  logFormat: choice(
    'ROLLCALL_LOG_FORMAT',
    logFormats,
    'auto',
    '`json`, or `pretty` for reading; `auto` is pretty on a terminal.',
  ),
} as const;
