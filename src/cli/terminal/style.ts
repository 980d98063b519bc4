import { host, type Output } from '../host.js';

type Stream = Pick<Output, 'isTTY'>;

/** Only on a terminal, and never with NO_COLOR: https://no-color.org. */
export function supportsColor(stream: Stream): boolean {
  const { NO_COLOR, TERM } = host().env;
  return stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

/** Styles for one stream. Without color support they return the text unchanged. */
function stylesOf(stream: () => Stream) {
  const styled = (on: number, off: number) => (text: string) =>
    supportsColor(stream()) ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: styled(1, 22),
    dim: styled(2, 22),
    red: styled(31, 39),
    green: styled(32, 39),
    yellow: styled(33, 39),
    cyan: styled(36, 39),
  };
}

export const out = stylesOf(() => host().stdout);
export const err = stylesOf(() => host().stderr);
