import { host } from '../host.js';
import { supportsColor } from './style.js';

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const barsMax = 12;
const numbersMax = 5;

/** The last numbers as small bars on a terminal, and as text elsewhere: "▁▂█" or "3, 40, 812". */
export function sparkline(numbers: readonly number[], stream = host().stdout): string {
  if (!supportsColor(stream)) return numbers.slice(-numbersMax).join(', ');
  const shown = numbers.slice(-barsMax);
  const most = Math.max(1, ...shown);
  return shown.map((number) => bars[Math.ceil((number / most) * (bars.length - 1))]).join('');
}
