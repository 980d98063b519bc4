import { Redirect, useSearch } from 'wouter';
import { formerChangesPath } from './story.js';

/** Changes had a page of their own. */
export function FormerChangesPage() {
  return <Redirect to={formerChangesPath(useSearch())} replace />;
}
