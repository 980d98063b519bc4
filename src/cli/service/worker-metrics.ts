import type { Worker } from 'node:cluster';
import type { ProcessReport, ProcessReporter } from '../../telemetry/process-report.js';

/** What workers and their supervisor ask each other. The supervisor collects reports; workers ask for the result. */
type Question = { readonly metrics: 'report?'; readonly withShared: boolean } | { readonly metrics: 'node?' };

type Answer =
  | { readonly metrics: 'report'; readonly report: ProcessReport }
  | { readonly metrics: 'node'; readonly text: string };

type Message = (Question | Answer) & { readonly id: number };

/** A worker that is busy or about to end is left out. Scrapers usually wait ten seconds. */
const reportMs = 4_000;
const nodeMs = 6_000;

let lastId = 0;

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'metrics' in message;
}

type Channel = Pick<NodeJS.EventEmitter, 'on' | 'off'> & {
  send(message: object, callback: (error: Error | null) => void): unknown;
};

/** Sends a question and waits for its answer. Undefined if there is none in time. */
function ask(channel: Channel, question: Question, withinMs: number): Promise<Answer | undefined> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const end = (answer?: Answer) => {
      clearTimeout(timer);
      channel.off('message', onMessage);
      resolve(answer);
    };
    const onMessage = (message: unknown) => {
      if (isMessage(message) && message.id === id && `${message.metrics}?` === question.metrics) {
        end(message as Answer);
      }
    };
    const timer = setTimeout(end, withinMs);
    channel.on('message', onMessage);
    channel.send({ ...question, id }, (error) => error && end());
  });
}

/** The reports of all workers that answer. What all nodes share is read by one of them. */
export async function collectReports(workers: readonly Worker[]): Promise<ProcessReport[]> {
  const answers = await Promise.all(
    workers.map((worker, index) => ask(worker, { metrics: 'report?', withShared: index === 0 }, reportMs)),
  );
  return answers.flatMap((answer) => (answer?.metrics === 'report' ? [answer.report] : []));
}

/** Lets workers ask their supervisor for the metrics of the node. */
export function answerWorker(worker: Worker, nodeText: () => Promise<string>): void {
  worker.on('message', (message: unknown) => {
    if (!isMessage(message) || message.metrics !== 'node?') return;
    const { id } = message;
    // Without an answer, the worker says so.
    nodeText().then(
      (text) => worker.send({ metrics: 'node', id, text }, () => {}),
      () => {},
    );
  });
}

/** The worker's side: reports when asked, and asks for the metrics of the node. */
export function metricsOfNode(worker: Worker): (own: ProcessReporter) => () => Promise<string> {
  return (own) => {
    worker.on('message', (message: unknown) => {
      if (!isMessage(message) || message.metrics !== 'report?') return;
      const { id, withShared } = message;
      own.report({ withShared }).then(
        (report) => worker.send({ metrics: 'report', id, report }, () => {}),
        () => {},
      );
    });
    return async () => {
      const answer = await ask(worker, { metrics: 'node?' }, nodeMs);
      if (answer?.metrics !== 'node') throw new Error('the supervisor did not send the metrics of the node');
      return answer.text;
    };
  };
}
