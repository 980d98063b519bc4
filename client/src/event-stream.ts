/** A block of a stream of server-sent events. */
export interface StreamMessage {
  /** The last ID in the stream, from which to resume. Empty before the first. */
  readonly id: string;
  /** Undefined if the block only moves the ID or keeps the connection alive. */
  readonly data: string | undefined;
}

/**
 * Parses a stream of server-sent events in chunks of any size
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). It ignores event names, which are in the data as
 * well, and `retry`, because our own pauses grow.
 */
export function streamParser(): (chunk: string) => StreamMessage[] {
  let unread = '';
  let isAfterReturn = false;
  let id = '';
  let data: string[] = [];

  const linesOf = (chunk: string): string[] => {
    // A line may end in CR LF, and the chunk between the two.
    const fresh = isAfterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    isAfterReturn = chunk.endsWith('\r');
    const lines = (unread + fresh).split(/\r\n|\n|\r/);
    unread = lines.pop() ?? '';
    return lines;
  };
  const take = (line: string): void => {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'id' && !value.includes('\0')) id = value;
  };

  return (chunk) => {
    if (chunk === '') return [];
    const messages: StreamMessage[] = [];
    for (const line of linesOf(chunk)) {
      if (line !== '') {
        take(line);
        continue;
      }
      messages.push({ id, data: data.length === 0 ? undefined : data.join('\n') });
      data = [];
    }
    return messages;
  };
}
