import {
  type Attributes,
  context,
  propagation,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { version } from '../contract/version.js';
import { type BulkPhase, type Metrics, secondsSince } from './metrics.js';

/** The tracer of the SDK that the operator has loaded. Without one, no span is ever created. */
export function currentTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider() as TracerProvider & {
    getDelegateTracer?(name: string, version: string): Tracer | undefined;
  };
  // The SDK may use its own copy of the API, so this is no question of classes.
  return provider.getDelegateTracer
    ? provider.getDelegateTracer('rollcall', version)
    : provider.getTracer('rollcall', version);
}

interface SpanDescription {
  readonly name: string;
  readonly kind?: SpanKind;
  /** Nothing that a caller sent. */
  readonly attributes?: Attributes;
}

/** Runs the work within a span, if there is a tracer. */
export function traced<T>(
  { name, ...options }: SpanDescription,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const tracer = currentTracer();
  if (!tracer) return work();
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The kind of an error, without its message: database messages quote row values, which are personal data. */
export function markFailed(span: Span, error: unknown): void {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const type = typeof code === 'string' ? code : name;
  span.setAttribute('error.type', typeof type === 'string' ? type : 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Whether what happens now belongs to a trace. Work in the background is traced only where it begins a span itself. */
export function isWithinSpan(): boolean {
  return trace.getActiveSpan() !== undefined;
}

interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** For log lines, under the names that OpenTelemetry recommends. */
export function activeTraceIds(): TraceIds | Record<string, never> {
  const span = trace.getActiveSpan();
  if (!span) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/**
 * The headers that let a receiver continue the trace: `traceparent`, unless the SDK has another propagator. Without the
 * baggage of a caller, which may be about anything and is none of a receiver's business.
 */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (currentTracer()) propagation.inject(propagation.deleteBaggage(context.active()), headers);
  return headers;
}

export function withinSpan<T>(span: Span | undefined, work: () => T): T {
  return span ? context.with(trace.setSpan(context.active(), span), work) : work();
}

/** Times and traces a phase of a bulk call. */
export async function bulkPhase<T>(
  metrics: Metrics | undefined,
  phase: BulkPhase,
  work: () => Promise<T> | T,
): Promise<T> {
  if (!metrics && !currentTracer()) return work();
  const start = performance.now();
  try {
    return await traced({ name: `bulk ${phase}` }, async () => work());
  } finally {
    metrics?.bulkPhase(phase, secondsSince(start));
  }
}
