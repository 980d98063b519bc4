/** Bold on a terminal that has it; plain anywhere else and with NO_COLOR. */
export function bold(text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text;
}

/** Rows of texts as columns that line up; the first row is the heading. Numbers are set to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? '')) ?? [];
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const isNumber = columns.map((cells) => cells.slice(1).every((cell) => /^(?:[\d–-]|$)/.test(cell)));
  return rows
    .map((row, line) => {
      const cells = row.map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      );
      const text = cells.join('   ').trimEnd();
      return line === 0 ? bold(text) : text;
    })
    .join('\n');
}
