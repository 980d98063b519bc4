interface Rows {
  readonly last: number;
  readonly rowsOnScreen: number;
  /** No row has the focus yet: the first key moves to the current one. */
  readonly isOutside: boolean;
}

/** Undefined for keys that do not move between rows. */
export function rowForKey(
  key: string,
  row: number,
  { last, rowsOnScreen, isOutside }: Rows,
): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: isOutside ? 0 : 1,
    ArrowUp: isOutside ? 0 : -1,
    PageDown: rowsOnScreen,
    PageUp: -rowsOnScreen,
    Home: -row,
    End: last - row,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.max(0, Math.min(last, row + step));
}

/** Undefined for keys that do not move between columns. */
export function columnForKey(key: string, column: number, count: number): number | undefined {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  return Math.max(0, Math.min(count - 1, column + (key === 'ArrowRight' ? 1 : -1)));
}
