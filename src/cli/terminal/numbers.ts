const grouped = new Intl.NumberFormat('en-US');

/** 12,345 */
export function count(number: number): string {
  return grouped.format(number);
}

/** "1 row", "12,345 rows" */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Rounded down: "12 kB", "3.4 MB", "120 MB", "1.5 GB". */
export function size(bytes: number): string {
  const down = (unit: number, digits = 0) =>
    (Math.floor((bytes / unit) * 10 ** digits) / 10 ** digits).toFixed(digits);
  if (bytes < 1_000_000) return `${down(1_000)} kB`;
  if (bytes < 10_000_000) return `${down(1_000_000, 1)} MB`;
  return bytes < 1_000_000_000 ? `${down(1_000_000)} MB` : `${down(1_000_000_000, 1)} GB`;
}

/** A duration in its two largest units: "0.4 s", "8 s", "3 min 20 s", "2 h 5 min". */
export function duration(ms: number): string {
  if (ms < 950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
