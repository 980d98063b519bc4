import { texts } from '../copy/index.js';
import { EmptyState } from './empty-state.js';

export function NotAllowed() {
  return <EmptyState title={texts.common.notAllowed} />;
}
