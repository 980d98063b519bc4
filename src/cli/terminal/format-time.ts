/** To the second. Accepted by options such as --since. */
export function formatTime(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 19)}Z`;
}
