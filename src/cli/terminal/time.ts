/** A time of the service to the second. It can be given back as it is, to --since for example. */
export function shownTime(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 19)}Z`;
}
