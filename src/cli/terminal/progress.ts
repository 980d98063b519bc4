import { host } from '../host.js';
import { count, duration } from './numbers.js';
import { err, supportsColor } from './style.js';
import { truncateToWidth } from './text-width.js';

export interface Progress {
  /** May be called often: drawing is throttled. */
  at(done: number): void;
  /** For a total that becomes known only after the start. */
  expect(total: Total): void;
  /** Prints a message above the bar. */
  note(text: string): void;
  /** Removes the bar. */
  end(): void;
}

interface Total {
  readonly count: number;
  /** Otherwise an estimate. */
  readonly isExact: boolean;
}

interface ProgressOptions {
  readonly doing: string;
  /** Unknown for streams. */
  readonly total?: Total | undefined;
  /** Such as "rows". */
  readonly unit: string;
}

const drawEveryMs = 100;
const logEveryMs = 10_000;
const barWidth = 24;

/** A progress bar with rate and time left on a terminal; an occasional line in a log. */
export function createProgress(given: ProgressOptions, stream = host().stderr): Progress {
  const startedAt = performance.now();
  let options = given;
  let done = 0;
  let isShown = options.total === undefined; // an empty bar shows that work has started
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) stream.write('\r\u001b[K');
    isDrawn = false;
  };
  const show = () => {
    if (isShown) return;
    isShown = true;
    const facts = progressFacts(options, done, performance.now() - startedAt);
    if (!stream.isTTY) {
      stream.write(`${options.doing}: ${facts}\n`);
      return;
    }
    const shape = bar(done, knownTotal(options, done)?.count);
    const room = (stream.columns ?? 80) - 1 - options.doing.length - 1 - shape.width;
    stream.write(`\r${options.doing} ${shape.text}${truncateToWidth(facts, Math.max(room, 1))}\u001b[K`);
    isDrawn = true;
  };
  const showing = setInterval(show, stream.isTTY ? drawEveryMs : logEveryMs);
  showing.unref();
  return {
    at(now) {
      done = now;
      isShown = false;
    },
    expect(total) {
      options = { ...options, total };
      isShown = false;
    },
    note(text) {
      clear();
      stream.write(`${text}\n`);
    },
    end() {
      clearInterval(showing);
      clear();
    },
  };
}

/** "420,000 of 1,000,000 rows, 31,200/s, 18 s left" */
export function progressFacts(options: ProgressOptions, done: number, ms: number): string {
  const total = knownTotal(options, done);
  const rate = ms > 0 ? (done * 1_000) / ms : 0;
  const all = total ? ` of ${total.isExact ? '' : 'about '}${count(total.count)}` : '';
  const speed = rate > 0 ? `, ${count(Math.round(rate))}/s` : '';
  const left =
    rate > 0 && total && done < total.count
      ? `, ${duration(((total.count - done) / rate) * 1_000)} left`
      : '';
  return `${count(done)}${all} ${options.unit}${speed}${left}`;
}

/** Undefined once there turns out to be more: an estimate can be too low, and a list can grow while it is read. */
function knownTotal({ total }: ProgressOptions, done: number): Total | undefined {
  return total && done <= total.count ? total : undefined;
}

/** The width is separate because color codes take no space. */
function bar(done: number, total: number | undefined): { readonly text: string; readonly width: number } {
  if (total === undefined) return { text: '', width: 0 };
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.round(share * barWidth);
  const [on, off] = supportsColor(host().stderr) ? ['█', '░'] : ['#', '.'];
  const percent = `${Math.floor(share * 100)}%`.padStart(5);
  return {
    text: `${err.cyan(on.repeat(full))}${err.dim(off.repeat(barWidth - full))}${percent}  `,
    width: barWidth + percent.length + 2,
  };
}

const patienceMs = 300;

/** Shows a text on a terminal while work takes longer than a moment. */
export async function showWhile<T>(text: string, work: Promise<T>, stream = host().stderr): Promise<T> {
  let isShown = false;
  const showing = setTimeout(() => {
    isShown = stream.isTTY === true;
    if (isShown) stream.write(text);
  }, patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(showing);
    if (isShown) stream.write('\r\u001b[K');
  }
}
