/** How many people have to be confirmed. The reply to a braked call has the number in its sentence alone. */
export function numberToConfirm(detail: string): number | undefined {
  const [, digits] = /\?confirm=(\d+)/.exec(detail) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
