import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anItem, newId, TestService } from '../../support/service.js';
import { startWebhookReceiver } from '../../support/webhook-receiver.js';
import { eagerEvents } from '../../support/webhooks.js';

const exporter = new InMemorySpanExporter();
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const canary = { name: 'Canary Traced', employeeID: newId('CanaryTraced'), phone: '+49 30 4711' };
let service: TestService;

/** What an operator's own file does, with an exporter that keeps the spans. */
beforeAll(async () => {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  service = await TestService.start(eagerEvents);
});

/** Other files of this worker must not be traced. */
afterAll(async () => {
  await service.stop();
  trace.disable();
  propagation.disable();
  context.disable();
});

const finished = () => exporter.getFinishedSpans();
const childrenOf = (span: ReadableSpan | undefined) =>
  finished().filter(({ parentSpanContext }) => parentSpanContext?.spanId === span?.spanContext().spanId);

async function spanOf(name: string): Promise<ReadableSpan> {
  await expect.poll(() => finished().some((span) => span.name === name)).toBe(true);
  return finished().find((span) => span.name === name) as ReadableSpan;
}

test('a bulk call continues the trace of its caller, down to its statements', async () => {
  const user = await service.givenUser(canary);
  exporter.reset();
  const reply = await service.post(
    '/service/users/update-bulk',
    { items: [anItem(user, { phone: '+49 30 4712' })] },
    { headers: { traceparent: `00-${traceId}-${parentId}-01`, 'x-request-id': 'traced-bulk' } },
  );
  expect(reply.status).toBe(200);
  const root = await spanOf('POST /service/users/update-bulk');
  expect(root.kind).toBe(SpanKind.SERVER);
  expect(root.spanContext().traceId).toBe(traceId);
  expect(root.parentSpanContext?.spanId).toBe(parentId);
  expect(root.attributes).toMatchObject({
    'http.route': '/service/users/update-bulk',
    'http.response.status_code': 200,
  });
  const phases = finished().filter(({ name }) => name.startsWith('bulk '));
  expect(phases.map(({ name }) => name).sort()).toEqual([
    // The body is parsed first, then its items, in blocks.
    ...['bulk chunk', 'bulk parse', 'bulk parse', 'bulk plan', 'bulk report'],
  ]);
  const chunk = phases.find(({ name }) => name === 'bulk chunk');
  expect(childrenOf(chunk).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['sql BEGIN', 'sql advance-call', 'sql COMMIT']),
  );
  for (const span of finished().filter(({ name }) => name.startsWith('bulk ')))
    expect(span.spanContext().traceId).toBe(traceId);
});

test('log lines of a request name its trace and its actor', async () => {
  await expect.poll(() => service.logs).toContain('traced-bulk');
  const line = service.logs.split('\n').find((each) => each.includes('traced-bulk'));
  const { trace_id, span_id, actor } = JSON.parse(line as string);
  const root = await spanOf('POST /service/users/update-bulk');
  expect({ trace_id, span_id }).toEqual({ trace_id: traceId, span_id: root.spanContext().spanId });
  expect(actor).toMatch(/^client-/);
});

test('a failed request is marked, without its error message', async () => {
  exporter.reset();
  expect((await service.get(`/service/users/${canary.employeeID}`)).status).toBe(404);
  const span = await spanOf('GET /service/users/:serial');
  expect(span.attributes['http.response.status_code']).toBe(404);
  expect((await service.get(`/${canary.employeeID}`)).status).toBe(404);
  expect((await spanOf('GET unknown')).attributes['http.route']).toBe('unknown');
});

test('a webhook message carries the trace to its receiver', async () => {
  const receiver = await startWebhookReceiver();
  await service.post('/service/webhooks', { url: receiver.url, eventTypes: ['user.created'] });
  exporter.reset();
  await service.givenUser();
  const sent = await spanOf('POST webhook');
  expect(sent.kind).toBe(SpanKind.CLIENT);
  expect(receiver.requests.at(-1)?.headers.traceparent).toBe(
    `00-${sent.spanContext().traceId}-${sent.spanContext().spanId}-01`,
  );
  expect(sent.attributes['http.response.status_code']).toBeGreaterThanOrEqual(200);
  expect(JSON.stringify(sent.attributes)).not.toContain(receiver.url);
});

test('the baggage of a caller does not reach receivers', async () => {
  const receiver = await startWebhookReceiver();
  const created = await service.post('/service/webhooks', { url: receiver.url, eventTypes: ['user.erased'] });
  const baggage = 'session=of-the-caller';
  const headers = { baggage, traceparent: `00-${traceId}-${parentId}-01` };
  await service.request('POST', `/service/webhooks/${created.json.data.id}/test`, { headers });
  const received = receiver.requests.at(-1)?.headers;
  expect(received?.traceparent).toContain(traceId);
  expect(received?.baggage).toBeUndefined();
});

test('polling and probes leave no spans, and no span contains a value', async () => {
  await service.get('/healthz');
  await service.get('/service/auth/me');
  await spanOf('GET /service/auth/me');
  expect(finished().map(({ name }) => name)).not.toContain('GET /healthz');
  const roots = finished().filter(({ parentSpanContext }) => parentSpanContext === undefined);
  expect(roots.filter(({ name }) => name.startsWith('sql '))).toEqual([]);
  const told = JSON.stringify(
    finished().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  );
  for (const value of Object.values(canary)) expect(told).not.toContain(value);
});
