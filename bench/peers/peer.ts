import type pg from 'pg';
import type { HttpClient, Reply } from './http-client.js';

/** The record of a user, with the same fields in every peer. */
export interface User {
  readonly employeeID: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/** A user after the change. The employee ID is the current one. */
export interface Change extends User {
  readonly newEmployeeID?: string;
}

/** What a reply says about one item of a call. */
export interface ItemAnswer {
  readonly done: boolean;
  readonly text: string;
}

/** What a peer is given to run. */
export interface Place {
  /** An empty database of its own, and a connection to it for everything that is not measured. */
  readonly databaseUrl: string;
  readonly database: pg.Client;
  /** Where its packages are installed. It may leave files here. */
  readonly folder: string;
  /** Opens the client used to measure all peers. */
  client(url: string, headers: Readonly<Record<string, string>>): HttpClient;
  /** Aborted if the run is interrupted: everything started must end at once. */
  readonly signal: AbortSignal;
}

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Exact versions by package name; empty if nothing has to be installed. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages that don't work without their install script. */
  readonly built?: readonly string[];
  /** The measured calls. */
  readonly calls: { readonly create: string; readonly update: string };
  /** The settings, apart from address and database, and what readers need to know to judge the figures. */
  readonly remarks: readonly string[];
  start(place: Place): Promise<RunningPeer>;
}

/** The same work for each peer. */
export interface RunningPeer {
  createOne(user: User): Promise<void>;
  /** Not measured. */
  createMany(users: readonly User[]): Promise<void>;
  /** In one call, from the changes to the last byte of the reply. */
  updateMany(changes: readonly Change[]): Promise<Reply>;
  /** One per item, in any order; none if the reply only covers the call as a whole. */
  itemAnswers(reply: Reply): readonly ItemAnswer[];
  /** The message of a reply that rejects the whole call. */
  refusal(reply: Reply): string;
  /** How many users have one of these phones, according to the database. */
  countPhones(phones: readonly string[]): Promise<number>;
  stop(): Promise<void>;
}
