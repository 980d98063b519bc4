import type { Scope } from '../contract/scopes.js';
import type { Actor } from '../domain/actor.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a caller needs, or 'any' for whoever has a valid token; a route without it is open to all. */
    scope?: Scope | 'any';
    /** For people who signed in; clients and outside issuers have nothing to do here. */
    people?: boolean;
    /** Allowed to somebody who has to change an initial password first. */
    duringPasswordChange?: boolean;
    /** The media types of the body; a route without any takes no body. */
    takes?: readonly string[];
    /** The body may have many megabytes, and is read by the operation itself. */
    takesLongList?: boolean;
    /** A reply that is not JSON, or is for machines that send any Accept header: nothing is negotiated. */
    plain?: boolean;
    /** Answers while the database is not there. */
    always?: boolean;
    /** For load balancers, which must get their answer however often they ask. */
    isProbe?: boolean;
    /** A read that can be long, and has a limit of its own. */
    isSearch?: boolean;
    /** What somebody could guess here: such requests have a limit of their own. */
    guesses?: 'client secrets' | 'passwords';
    /** A stream of events: while the service starts it waits, and it never answers a passing failure to an EventSource. */
    eventStream?: boolean;
    /** Failures in the form of RFC 6749, beside the contract's. */
    oauth?: boolean;
  }

  interface FastifyRequest {
    actor?: Actor;
  }
}
