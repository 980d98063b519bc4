import { EmptyState } from '../../parts/empty-state.js';
import { texts } from '../../texts/index.js';

export function NotAllowed() {
  return <EmptyState title={texts.common.notAllowed} />;
}
