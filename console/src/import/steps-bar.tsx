import { UnstyledButton } from '@mantine/core';
import { importCopy } from '../copy/copy.js';
import styles from './components/import.module.css';
import type { StepProps } from './components/step-props.js';
import { currentStep, isRunning, type Step, steps } from './state/state.js';
import { useImportState } from './state/store.js';

/** Earlier steps are links, unless a run is in progress. */
export function StepsBar({ current, goTo }: StepProps & { readonly current: Step }) {
  const state = useImportState();
  const isReachable = (step: Step) =>
    step !== current && step !== 'run' && !isRunning(state) && currentStep(state, step) === step;
  return (
    <nav aria-label={importCopy.stepsLabel}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step} aria-current={step === current ? 'step' : undefined}>
            {isReachable(step) ? (
              <UnstyledButton className={styles.step} onClick={() => goTo(step)}>
                <Label step={step} number={index + 1} />
              </UnstyledButton>
            ) : (
              <span className={styles.step} data-now={step === current || undefined}>
                <Label step={step} number={index + 1} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Label({ step, number }: { step: Step; number: number }) {
  return (
    <>
      <span className={styles.badge} aria-hidden>
        {number}
      </span>
      {importCopy.steps[step]}
    </>
  );
}
