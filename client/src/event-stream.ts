/** A block of a stream of server-sent events. */
export interface StreamMessage {
  /** The last ID that the stream named: where to go on after a break. Empty before the first. */
  readonly id: string;
  /** Undefined where the block only moves the ID, or shows that the stream lives. */
  readonly data: string | undefined;
}

/**
 * Takes a stream apart as it comes, wherever it is cut, by the rules of
 * https://html.spec.whatwg.org/multipage/server-sent-events.html. The names of events are left aside, for they are in the
 * data, and so is the pause that the stream asks for: ours grows.
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
