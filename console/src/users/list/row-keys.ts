interface Rows {
  readonly last: number;
  readonly rowsOnScreen: number;
  /** The focus is not on a row yet: the first key only leads there. */
  readonly isOutside: boolean;
}

/** The row that a key leads to; undefined for keys that have nothing to do with rows. */
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
