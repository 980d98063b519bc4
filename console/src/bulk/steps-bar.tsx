import { UnstyledButton } from '@mantine/core';
import { bulkCopy } from '../copy/bulk.js';
import styles from './components/bulk.module.css';
import { isRunning, type Step, stepOf, steps, type Wizard } from './state/wizard.js';

/** Where one is; what was passed can be gone back to. */
export function StepsBar({ wizard, now, onGo }: { wizard: Wizard; now: Step; onGo: (step: Step) => void }) {
  const canGo = (step: Step) =>
    step !== now && step !== 'run' && !isRunning(wizard) && stepOf(wizard, step) === step;
  return (
    <nav aria-label={bulkCopy.stepsLabel}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step} aria-current={step === now ? 'step' : undefined}>
            {canGo(step) ? (
              <UnstyledButton className={styles.step} onClick={() => onGo(step)}>
                <Label step={step} at={index + 1} />
              </UnstyledButton>
            ) : (
              <span className={styles.step} data-now={step === now || undefined}>
                <Label step={step} at={index + 1} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Label({ step, at }: { step: Step; at: number }) {
  return (
    <>
      <span className={styles.badge} aria-hidden>
        {at}
      </span>
      {bulkCopy.steps[step]}
    </>
  );
}
