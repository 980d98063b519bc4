import type { Schemas } from '@rollcall/client';
import type { IssuedSecret } from './secrets.js';

export type Application = Schemas['Application'];
export type ApplicationVerb = 'edit' | 'rotate' | 'enable' | 'disable' | 'remove';

export type ApplicationAction =
  | { readonly kind: 'create' }
  | { readonly kind: 'secret'; readonly given: IssuedSecret }
  | { readonly kind: ApplicationVerb; readonly application: Application };
