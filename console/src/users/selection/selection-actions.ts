import type { Attribute } from '../../components/attribute-value.js';
import type { RunKind } from './run-dialog.js';
import { attributesFor, type ChangeKind } from './user-change.js';

export type SelectionAction = ChangeKind | RunKind | 'export';

/** In the bar, as far as there is room; all others are in a menu. */
export const barActions: readonly SelectionAction[] = ['deactivate', 'addTag', 'setOrganization', 'export'];

export const allActions: readonly SelectionAction[] = [
  'activate',
  'deactivate',
  'addTag',
  'removeTag',
  'setOrganization',
  'clearOrganization',
  'setManager',
  'clearManager',
  'setAttribute',
  'clearAttribute',
  'export',
  'resetPasswords',
  'resendMessages',
];

export interface Circumstances {
  readonly mayWrite: boolean;
  readonly mayAdminister: boolean;
  /** Everyone in the list is selected, instead of single users. */
  readonly isEveryone: boolean;
  readonly isFiltered: boolean;
  readonly attributes: readonly Attribute[];
}

export type Availability = 'available' | 'hidden' | 'needsFilter' | 'oneByOneOnly';

/** Changes to everyone need a filter, and what is done one by one needs single users. */
export function availabilityOf(action: SelectionAction, given: Circumstances): Availability {
  switch (action) {
    case 'export':
      return 'available';
    case 'resetPasswords':
    case 'resendMessages':
      if (!given.mayAdminister) return 'hidden';
      return given.isEveryone ? 'oneByOneOnly' : 'available';
    case 'setAttribute':
    case 'clearAttribute':
      if (attributesFor(action, given.attributes).length === 0) return 'hidden';
      return availabilityOfChange(given);
    default:
      return availabilityOfChange(given);
  }
}

function availabilityOfChange(given: Circumstances): Availability {
  if (!given.mayWrite) return 'hidden';
  return given.isEveryone && !given.isFiltered ? 'needsFilter' : 'available';
}
