import type { Step } from '../state/state.js';

export interface StepProps {
  readonly goTo: (step: Step) => void;
}
