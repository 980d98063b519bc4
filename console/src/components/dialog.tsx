import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { commonCopy } from '../copy/copy.js';
import { describeError, rejectedField } from './error-message.js';
import { focusPage } from './focus-page.js';
import { ActionProblem } from './problem.js';

type DialogProps = Pick<
  ModalProps,
  | 'title'
  | 'onClose'
  | 'size'
  | 'children'
  | 'withCloseButton'
  | 'closeOnClickOutside'
  | 'closeOnEscape'
  | 'centered'
  | 'yOffset'
  | 'classNames'
>;

/** Open while it is mounted. The focus starts in the first field or button, unless something has `data-autofocus`. */
export function Dialog({ children, ...props }: DialogProps) {
  useFocusReturn();
  return (
    <Modal {...props} opened>
      <Content>{children}</Content>
    </Modal>
  );
}

/** Mounted with the content, which is later than the dialog. */
function Content({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const fields = content.current?.querySelectorAll<HTMLElement>(field) ?? [];
    const hasFocus = content.current?.querySelector('[data-autofocus]') != null;
    const [first] = [...fields].sort((a, b) => Number(isUnchecked(a)) - Number(isUnchecked(b)));
    const button = content.current?.querySelector('button:not(:disabled)');
    if (!hasFocus) (first ?? button)?.setAttribute('data-autofocus', 'true');
  }, []);
  return <div ref={content}>{children}</div>;
}

const field = ':is(input, select, textarea):not(:disabled, [type=hidden], [type=file])';

/** The keyboard reaches a group of radios at the one that is checked. */
function isUnchecked(element: HTMLElement): boolean {
  return element instanceof HTMLInputElement && element.type === 'radio' && !element.checked;
}

/** Returns the focus to the opener, or to the page if the opener is gone, as after a deletion. */
function useFocusReturn(): void {
  const [focused] = useState(focusedOpener);
  useEffect(() => {
    // A dialog that this one replaces has just returned the focus to its own opener.
    const opener = focused?.isConnected ? focused : document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
      else focusPage();
    };
  }, [focused]);
}

/** An item of a menu is gone with its menu, but the button that opened the menu stays. */
function focusedOpener(): Element | null {
  const menu = document.activeElement?.closest('[role=menu]');
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
  return button ?? document.activeElement;
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly confirm: string;
  /** Instead of “Cancel”, which would be ambiguous if the action cancels something. */
  readonly keep?: string;
  readonly isDangerous?: boolean;
  /** False as long as it is unknown what to confirm. */
  readonly isReady?: boolean;
  readonly failed: string;
  readonly action: () => Promise<void>;
  /** The action opens another dialog, or closes this one. */
  readonly staysOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Stays open if the action fails, and shows why. */
export function ConfirmDialog({
  title,
  confirm,
  keep = commonCopy.cancel,
  isDangerous,
  isReady = true,
  failed,
  action,
  staysOpen,
  onClose,
  children,
}: ConfirmDialogProps) {
  const mutation = useMutation({ mutationFn: action, onSuccess: () => !staysOpen && onClose() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // the dialog may belong to a form
    if (isReady) mutation.mutate();
  };
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack component="form" onSubmit={submit} onKeyDown={dontConfirmChoices}>
        <Text size="sm" component="div">
          {children}
        </Text>
        <ActionProblem title={failed} error={mutation.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keep}
          </Button>
          <Button
            color={isDangerous ? 'red' : 'blue'}
            disabled={!isReady}
            loading={mutation.isPending}
            type="submit"
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Enter confirms what was typed, but not what is merely chosen, as when a dialog has just opened. */
function dontConfirmChoices(event: KeyboardEvent<HTMLElement>): void {
  const { key, target } = event;
  const isChoice = target instanceof HTMLInputElement && ['radio', 'checkbox'].includes(target.type);
  if (key === 'Enter' && isChoice) event.preventDefault();
}

interface FormDialogProps {
  readonly title: string;
  readonly save: string;
  readonly isDangerous?: boolean;
  readonly failed: string;
  readonly isComplete?: boolean;
  /** Shows what is missing. */
  readonly onIncomplete?: () => void;
  readonly action: () => Promise<void>;
  /** The action opens another dialog. */
  readonly staysOpen?: boolean;
  /** Those that show why the service rejects them, by their names in the body. */
  readonly fields?: readonly string[];
  readonly onClose: () => void;
  readonly children: ReactNode | ((rejected: Rejected | undefined) => ReactNode);
}

interface Rejected {
  readonly field: string;
  readonly text: string;
}

/** Keeps its input when saving fails or the user clicks outside. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    save,
    isDangerous,
    failed,
    isComplete = true,
    onIncomplete,
    action,
    staysOpen,
    fields = [],
    onClose,
    children,
  } = props;
  const saving = useMutation({ mutationFn: action, onSuccess: () => !staysOpen && onClose() });
  const { error } = saving;
  const form = useRef<HTMLFormElement>(null);
  const field = rejectedField(error);
  const rejected =
    field !== undefined && fields.includes(field) ? { field, text: describeError(error) } : undefined;
  useEffect(() => {
    if (!error) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) invalid.focus();
    else form.current?.scrollIntoView({ block: 'end' }); // where the error and the buttons are
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) saving.mutate();
    else onIncomplete?.();
  };
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <form ref={form} onSubmit={submit} onChange={() => rejected && saving.reset()}>
        <Stack>
          {typeof children === 'function' ? children(rejected) : children}
          {!rejected && <ActionProblem title={failed} error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonCopy.cancel}
            </Button>
            <Button type="submit" color={isDangerous ? 'red' : 'blue'} loading={saving.isPending}>
              {save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
