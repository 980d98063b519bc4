import type { Pause, RetryOptions } from '#client';

/** The first pauses are short and not worth a message. */
const quietPauses = 3;

/** Reports once per outage that the sync waits for the service. */
export function outageNotifier(): {
  readonly retry: RetryOptions;
  notifyWith(print: (text: string) => void): void;
} {
  let notify: (text: string) => void = () => {};
  const onPause = ({ attempt, error }: Pause) => {
    if (attempt !== quietPauses) return;
    const reason = error ? error.message : 'It lost its database during a call.';
    notify(`Service unavailable. ${reason} Retrying for several minutes.`);
  };
  return {
    retry: { onPause },
    notifyWith(print) {
      notify = print;
    },
  };
}
