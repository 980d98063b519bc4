const width = 20;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A horizontal bar. Any value but zero is visible. */
export function bar(value: number, max: number): string {
  if (value <= 0 || max <= 0) return '';
  const length = Math.max(Math.round((value / max) * width * 8), 1);
  return '█'.repeat(Math.floor(length / 8)) + eighths[length % 8];
}
