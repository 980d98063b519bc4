import { createNews } from './news.js';
import type { BulkKind } from './service-calls.js';
import { createWizard, type Wizard } from './wizard.js';

const wizards = new Map<BulkKind, Wizard>();

/** The wizard of whoever is signed in; another person finds nothing of it. */
export function wizardOf(kind: BulkKind, owner: string): Wizard {
  const present = wizards.get(kind);
  if (present?.owner === owner) return present;
  const wizard = createWizard(kind, owner, createNews(requestAnimationFrame));
  wizards.set(kind, wizard);
  return wizard;
}
