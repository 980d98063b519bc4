import { uploadFeedFile } from '@rollcall/client';
import type { Run } from '../components/feeds.js';
import { clientWith } from '../session/api.js';

interface UploadOptions {
  readonly isDryRun: boolean;
  /** The share of the file that has been sent. */
  readonly onProgress: (share: number) => void;
}

/** Uploads a file to a feed. Resolves to the run that reads it. */
export function uploadFile(key: string, file: File, { isDryRun, onProgress }: UploadOptions): Promise<Run> {
  const client = clientWith((url, { method = 'PUT', headers }) =>
    send(url, method, headers, file, onProgress),
  );
  return uploadFeedFile(client, key, file, { fileName: file.name, dryRun: isDryRun });
}

/** `fetch` can't report the progress of an upload. */
function send(
  url: string,
  method: string,
  headers: RequestInit['headers'],
  file: File,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    new Headers(headers).forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve(responseOf(request));
    request.onerror = () => reject(new TypeError('The connection failed.'));
    request.send(file);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(':');
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : [];
  });
  return new Response(request.responseText, { status: request.status, headers });
}
