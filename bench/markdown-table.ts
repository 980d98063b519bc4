/** Columns of numbers are right-aligned. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const rule = head.map((_, column) =>
    body.every((row) => /^(?:[\d–>-]|$)/.test(row[column] ?? '')) ? '---:' : '---',
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(rule), ...body.map(line)].join('\n');
}
