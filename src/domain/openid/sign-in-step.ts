/** What the user still has to do before the browser goes on to the application. */
export type SignInStep =
  /** Sign in, or complete it: with a new password, for example. */
  | 'sign-in'
  /** Prove again who they are. */
  | 'prove'
  /** Nothing: they may not use the application. */
  | 'refused'
  /** Nothing: the application asks for somebody else. */
  | 'other-user'
  | 'continue';

export interface SignInFacts {
  /** Null if nobody is signed in. */
  readonly session: {
    readonly userSerial: string;
    readonly isComplete: boolean;
    readonly provenSecondsAgo: number;
  } | null;
  readonly isAdmitted: boolean;
  /** How long ago the application sent the user here. */
  readonly startedSecondsAgo: number;
  /** Whether the application wants another proof, however fresh the last one is. */
  readonly wantsProof: boolean;
  /** How old a proof may be; undefined if the application doesn't mind. */
  readonly maxAgeSeconds: number | undefined;
  /** Whom the application asks for, if it does. */
  readonly wantedUser: string | undefined;
}

export function signInStep(facts: SignInFacts): SignInStep {
  const { session, startedSecondsAgo, wantsProof, maxAgeSeconds, wantedUser } = facts;
  if (!session?.isComplete) return 'sign-in';
  if (wantedUser !== undefined && wantedUser !== session.userSerial) return 'other-user';
  if (!facts.isAdmitted) return 'refused';
  const isProvenHere = session.provenSecondsAgo <= startedSecondsAgo;
  const isTooOld = maxAgeSeconds !== undefined && session.provenSecondsAgo > maxAgeSeconds;
  return (wantsProof || isTooOld) && !isProvenHere ? 'prove' : 'continue';
}
