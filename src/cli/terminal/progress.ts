import { count, duration } from './numbers.js';
import { err, supportsColor } from './style.js';
import { truncateToWidth } from './text-width.js';

export interface Progress {
  /** May be called often: drawing is throttled. */
  at(done: number): void;
  /** Prints a message above the bar. */
  note(text: string): void;
  /** Removes the bar. */
  end(): void;
}

export interface ProgressOptions {
  readonly doing: string;
  /** Unknown for streams. */
  readonly total?: number | undefined;
  /** Such as "rows". */
  readonly unit: string;
}

const drawEveryMs = 100;
const logEveryMs = 10_000;
const barWidth = 24;

/** A progress bar with rate and time left on a terminal; an occasional line in a log. */
export function createProgress(options: ProgressOptions, stream = process.stderr): Progress {
  const startedAt = performance.now();
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
    const shape = bar(done, options.total);
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
export function progressFacts({ total, unit }: ProgressOptions, done: number, ms: number): string {
  const rate = ms > 0 ? (done * 1_000) / ms : 0;
  const counts = total === undefined ? `${count(done)} ${unit}` : `${count(done)} of ${count(total)} ${unit}`;
  const speed = rate > 0 ? `, ${count(Math.round(rate))}/s` : '';
  const left =
    rate > 0 && total !== undefined && done < total
      ? `, ${duration(((total - done) / rate) * 1_000)} left`
      : '';
  return counts + speed + left;
}

/** The width is separate because color codes take no space. */
function bar(done: number, total: number | undefined): { readonly text: string; readonly width: number } {
  if (total === undefined) return { text: '', width: 0 };
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.round(share * barWidth);
  const [on, off] = supportsColor(process.stderr) ? ['█', '░'] : ['#', '.'];
  const percent = `${Math.floor(share * 100)}%`.padStart(5);
  return {
    text: `${err.cyan(on.repeat(full))}${err.dim(off.repeat(barWidth - full))}${percent}  `,
    width: barWidth + percent.length + 2,
  };
}
