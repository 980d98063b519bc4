import type { Schemas } from '@rollcall/client';

export type User = Schemas['User'];
