/** What happened to one user. */
export type Outcome = 'done' | { readonly reason: string };

export interface RunProgress<User> {
  readonly state: 'running' | 'paused' | 'finished';
  /** How many users are dealt with. */
  readonly done: number;
  readonly succeeded: number;
  readonly failed: readonly { readonly user: User; readonly reason: string }[];
  /** The session has ended; the current user is not dealt with yet. */
  readonly isSessionEnded: boolean;
}

export const notStarted: RunProgress<never> = {
  state: 'running',
  done: 0,
  succeeded: 0,
  failed: [],
  isSessionEnded: false,
};

interface RunOptions<User> {
  readonly users: readonly User[];
  readonly act: (user: User) => Promise<void>;
  /** Why it failed, in words. Undefined if the session has ended. */
  readonly explain: (error: unknown) => string | undefined;
  readonly onProgress: (progress: RunProgress<User>) => void;
}

export interface Run {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Leaves out the users who are not dealt with yet. */
  readonly stop: () => void;
}

/** Does something for each user, one after the other, because the service has no bulk operation for it. */
export function runOneByOne<User>({ users, act, explain, onProgress }: RunOptions<User>): Run {
  let progress: RunProgress<User> = notStarted;
  let isBusy = false;
  const report = (change: Partial<RunProgress<User>>) => {
    progress = { ...progress, ...change };
    onProgress(progress);
  };
  const next = async (user: User) => {
    try {
      await act(user);
      report({ done: progress.done + 1, succeeded: progress.succeeded + 1 });
    } catch (error) {
      const reason = explain(error);
      if (reason === undefined) return report({ state: 'paused', isSessionEnded: true });
      report({ done: progress.done + 1, failed: [...progress.failed, { user, reason }] });
    }
  };
  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    while (progress.state === 'running') {
      const user = users[progress.done];
      if (user === undefined) report({ state: 'finished' });
      else await next(user);
    }
    isBusy = false;
  };
  const resume = () => {
    if (progress.state === 'finished') return;
    report({ state: 'running', isSessionEnded: false });
    void work();
  };
  resume();
  return {
    pause: () => progress.state === 'running' && report({ state: 'paused' }),
    resume,
    stop: () => report({ state: 'finished' }),
  };
}
