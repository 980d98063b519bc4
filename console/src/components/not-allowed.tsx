import { commonCopy } from '../copy/copy.js';
import { EmptyState } from './empty-state.js';

export function NotAllowed() {
  return <EmptyState title={commonCopy.notAllowed} />;
}
