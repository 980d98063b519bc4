import type { Pause, RetryOptions } from '#client';

/** The first pauses are short, and nobody has to know of them. */
const quietPauses = 3;

/** Says that a sync waits for the service, once for each time that it is away. */
export function outageTeller(): { readonly retry: RetryOptions; tell(say: (text: string) => void): void } {
  let say: (text: string) => void = () => {};
  const onPause = ({ attempt, error }: Pause) => {
    if (attempt !== quietPauses) return;
    const why = error ? error.message : 'it lost its database in the middle of a call';
    say(`The service cannot go on just now: ${why} It is tried again, for some minutes.`);
  };
  return {
    retry: { onPause },
    tell(how) {
      say = how;
    },
  };
}
