import { count, duration } from './numbers.js';
import { err, hasColours } from './style.js';
import { cutToWidth } from './text-width.js';

export interface Progress {
  /** So many are done. Called as often as one likes: it is drawn a few times a second. */
  at(done: number): void;
  /** Something to tell in between. */
  note(text: string): void;
  /** Takes the bar away; what is printed afterwards stands alone. */
  end(): void;
}

export interface ProgressOptions {
  readonly doing: string;
  /** Unknown for what is read as it comes. */
  readonly total?: number | undefined;
  /** What is counted: "rows". */
  readonly unit: string;
}

const drawEveryMs = 100;
const logEveryMs = 10_000;
const barWidth = 24;

/** A bar with rate and time left on a terminal; a plain line every now and then in a log. */
export function createProgress(options: ProgressOptions, stream = process.stderr): Progress {
  const startedAt = performance.now();
  let done = 0;
  let isShown = options.total === undefined; // an empty bar says that something is under way
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
    stream.write(`\r${options.doing} ${shape.text}${cutToWidth(facts, Math.max(room, 1))}\u001b[K`);
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

/** Its width is told beside it: colours take none. */
function bar(done: number, total: number | undefined): { readonly text: string; readonly width: number } {
  if (total === undefined) return { text: '', width: 0 };
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.round(share * barWidth);
  const [on, off] = hasColours(process.stderr) ? ['█', '░'] : ['#', '.'];
  const percent = `${Math.floor(share * 100)}%`.padStart(5);
  return {
    text: `${err.cyan(on.repeat(full))}${err.dim(off.repeat(barWidth - full))}${percent}  `,
    width: barWidth + percent.length + 2,
  };
}
