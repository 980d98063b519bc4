import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import type { FeedDraft, FormProblem } from './feed-draft.js';

/** What every part of the form works with. */
export interface PartProps {
  readonly draft: FeedDraft;
  readonly onChange: (part: Partial<FeedDraft>) => void;
  /** The text of a problem, as soon as it is to be shown. */
  readonly problemOf: (problem: FormProblem, text: string) => string | undefined;
  /** The setting that the service refused, until it is edited. */
  readonly refused: string | undefined;
}

/** Descriptions below the inputs, as in other forms. */
export const below = ['label', 'input', 'description', 'error'] as (
  | 'label'
  | 'input'
  | 'description'
  | 'error'
)[];

interface FormSectionProps {
  readonly title: string;
  readonly hint?: string;
  readonly refused?: string | undefined;
  readonly children: ReactNode;
}

export function FormSection({ title, hint, refused, children }: FormSectionProps) {
  return (
    <Section title={title} hint={hint}>
      <Stack gap="md">
        {refused && (
          <Notice color="red" role="alert">
            {refused}
          </Notice>
        )}
        {children}
      </Stack>
    </Section>
  );
}

interface DisclosureProps {
  readonly title: string;
  /** Only at first: what is edited in it must not close it. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** What most feeds don't need. */
export function Disclosure({ title, isOpen: isOpenAtFirst = false, children }: DisclosureProps) {
  const [isOpen] = useState(isOpenAtFirst);
  return (
    <details open={isOpen}>
      <summary style={{ cursor: 'pointer', fontSize: 'var(--mantine-font-size-sm)' }}>{title}</summary>
      <Stack gap="sm" mt="xs">
        {children}
      </Stack>
    </details>
  );
}
