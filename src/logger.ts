import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.js';
import { activeTraceIds, currentTracer } from './telemetry/tracing.js';

/**
 * JSON lines for machines, readable lines on a terminal. Log calls never receive personal data or secrets, and errors are
 * reduced to what cannot contain either.
 */
export function createLogger({ logLevel, logFormat }: Config, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    base: null,
    serializers: { err: errorFacts },
    ...(currentTracer() ? { mixin: activeTraceIds } : {}),
  };
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY === true);
  if (destination) return pino(options, destination);
  if (!isPretty) return pino({ ...options, timestamp: pino.stdTimeFunctions.isoTime });
  return pino(
    options,
    pretty({
      colorize: process.stdout.isTTY === true && !process.env.NO_COLOR,
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'reqId,err',
      messageFormat: prettyMessage,
      hideObject: true,
      sync: true, // keeps the order with direct writes to the terminal
    }),
  );
}

/** One short line per request; the JSON form has everything. */
function prettyMessage(log: Record<string, unknown>, messageKey: string): string {
  const message = String(log[messageKey] ?? '');
  if (typeof log.route === 'string')
    return `${log.method} ${log.route} ${log.status} ${log.ms} ms  ${log.reqId ?? ''}`;
  const err = log.err as ErrorFacts | undefined;
  return err ? `${message}: ${err.type}${err.code ? ` ${err.code}` : ''} ${err.stack ?? ''}` : message;
}

interface ErrorFacts {
  readonly type: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly stack?: string;
  readonly cause?: ErrorFacts;
}

/**
 * The type and location of an error, without its message: database messages quote row values, which are personal data.
 */
function errorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    type: error.name === 'error' ? 'DatabaseError' : error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(frames.length > 0 ? { stack: frames.map((line) => line.trim()).join(' | ') } : {}),
    ...(error.cause === undefined ? {} : { cause: errorFacts(error.cause) }),
  };
}
