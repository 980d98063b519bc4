import type { Schemas } from '@rollcall/client';

/** A person as the service shows them. */
export type User = Schemas['User'];
