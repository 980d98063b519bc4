/** Saves a text as a CSV file. */
export function download(name: string, text: string): void {
  save(name, text, 'text/csv;charset=utf-8');
}

export function downloadJson(name: string, value: unknown): void {
  save(name, JSON.stringify(value, null, 2), 'application/json');
}

export function downloadHtml(name: string, text: string): void {
  save(name, text, 'text/html;charset=utf-8');
}

function save(name: string, text: string, type: string): void {
  downloadBlob(name, new Blob([text], { type }));
}

export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
