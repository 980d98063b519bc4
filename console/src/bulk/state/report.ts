import type { Schemas } from '@rollcall/client';

export type Effect = Schemas['Effect'];
export type EffectFields = Effect['fields'];

/** What the service says of one item. */
export type ItemReport =
  | { readonly ok: true; readonly serial: string | null; readonly effect: Effect | undefined }
  | { readonly ok: false; readonly symbol: string; readonly detail: string };

/** The copy of the service, with the rows of the file in place of the positions of a call. */
export function inRows(
  detail: string,
  numberOf: (position: number) => number,
  row: (number: number) => string,
): string {
  return detail
    .replace(/^items\[\d+\]: /, '')
    .replace(/"[^"]*"|items\[(\d+)\](?: of this call)?/g, (found: string, position?: string) =>
      position === undefined ? found : row(numberOf(Number(position))),
    );
}

/** The number that has to be confirmed, and what the service says of it, without the way that programs confirm it. */
export function brakeOf(detail: string): { readonly confirm: number; readonly sentence: string } | undefined {
  const confirm = /\?confirm=(\d+)/.exec(detail)?.[1];
  if (confirm === undefined) return undefined;
  return { confirm: Number(confirm), sentence: detail.replace(/ Nothing was done\..*$/s, '') };
}
