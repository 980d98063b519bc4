/** The limits of the wire format. They are part of the contract and are the same in every deployment. */
export const fieldLimits = {
  employeeIdMaxLength: 64,
  usernameMaxLength: 64,
  nameMaxLength: 200,
  emailMaxLength: 254,
  emailLocalPartMaxLength: 64,
  phoneMinLength: 3,
  phoneMaxLength: 32,
  phoneMinDigits: 3,
  passwordMaxLength: 128,
  tagSerialsMaxCount: 100,
  serialMaxLength: 64,
  searchMaxLength: 200,
} as const;

export const requestIdMaxLength = 128;
export const pageLimitDefault = 50;
export const pageLimitMax = 200;

/** No valid body nests deeper than { items: [ { tagSerials: [ ] } ] }; the rest is room to grow. */
export const jsonDepthMax = 32;

/** Limits an operator can change; these are the defaults that the configuration starts from. */
export const limitDefaults = {
  bulkItemsMax: 10_000,
  /** Items per transaction of a long bulk call: locks stay short and the event loop breathes in between. */
  bulkChunkItems: 2_500,
  /** How often work that lost a race is tried before the caller is asked to come back. */
  raceAttemptsMax: 20,
  bulkBodyMaxBytes: 16 * 1024 * 1024,
  bodyMaxBytes: 64 * 1024,
  headersMaxBytes: 16 * 1024,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 72_000,
  connectionsMax: 10_000,
  /** Per client and node. High enough that only a client gone wild meets it. */
  requestsPerMinuteMax: 1_200_000,
  /** Per address and node: token requests are where secrets are guessed. */
  tokenRequestsPerMinuteMax: 600,
  poolConnectionsMax: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 15_000,
  shutdownTimeoutMs: 15_000,
} as const;

export type LimitName = keyof typeof limitDefaults;
export type Limits = Readonly<Record<LimitName, number>>;
