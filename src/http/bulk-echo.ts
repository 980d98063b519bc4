import type { Piece } from './bulk-report.js';
import type { ListBody } from './list-body.js';

/** Larger slices of the request are sent without copying. */
const copiedMaxBytes = 16 * 1024;

/**
 * The submitted fields that a report returns, byte for byte as sent: numbers keep their notation, and absent fields
 * stay absent. `fields` are those that the items were read with.
 */
export function echoOf(items: ListBody, fields: readonly string[], echoed: readonly string[]) {
  const wanted = echoed.map((name) => ({ name, index: fields.indexOf(name) }));
  const wantedBits = wanted.reduce((bits, { index }) => bits | (1 << index), 0);

  return (position: number): readonly Piece[] | string => {
    const whole = items.rangeIfOnly(position, wantedBits);
    if (whole && whole[1] - whole[0] <= copiedMaxBytes) return items.bytes.toString('utf8', ...whole);
    const pieces: Piece[] = [];
    let text = '{';
    let separator = '';
    for (const { name, index } of wanted) {
      const place = items.rangeOf(position, index);
      if (!place) continue;
      text += `${separator}"${name}":`;
      separator = ',';
      if (place[1] - place[0] <= copiedMaxBytes) text += items.bytes.toString('utf8', ...place);
      else {
        pieces.push(text, items.bytes.subarray(...place));
        text = '';
      }
    }
    return pieces.length === 0 ? `${text}}` : [...pieces, `${text}}`];
  };
}
