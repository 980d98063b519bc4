import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Notice } from '../components/notice.js';
import { ActionProblem, Problem } from '../components/problem.js';
import { commonCopy, matchingCopy as copy } from '../copy/copy.js';
import { queryClient } from '../session/api.js';
import {
  countMatching,
  isUnconfirmed,
  type MatchingRequest,
  type MatchingResult,
  planAction,
  planOptions,
  planText,
} from './matching-call.js';
import { FilterList, MatchingTables } from './matching-tables.js';

interface MatchingConfirmProps {
  readonly request: MatchingRequest;
  readonly onDone: (result: MatchingResult) => void;
  readonly onBack: () => void;
}

/** Nothing is changed that was not previewed: the service compares the number of users. */
export function MatchingConfirm({ request, onDone, onBack }: MatchingConfirmProps) {
  const [previousNumber, setPreviousNumber] = useState<number>();
  const preview = useQuery({
    queryKey: ['matching', ...request.key],
    queryFn: ({ signal }) => request.call({ dryRun: true, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const change = useMutation({
    mutationFn: (confirm: number) =>
      request.call({
        confirm,
        effects: true,
        ...(request.plan && planOptions(request.plan)),
      }),
    onSuccess: (result) => {
      onDone(result);
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'matching' });
    },
    onError: (error, confirmed) => {
      if (isUnconfirmed(error)) setPreviousNumber(confirmed);
      void preview.refetch();
    },
  });
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => summary.current?.focus(), []); // the form is gone, and the focus with it
  const isChecking = preview.isFetching;
  const isRefused = isUnconfirmed(change.error);
  return (
    <Stack>
      <Text ref={summary} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
        {request.summary}
      </Text>
      {request.filters && <FilterList filters={request.filters} />}
      {request.who !== undefined && <Text size="sm">{request.who}</Text>}
      {isChecking && <Checking />}
      {!isChecking && preview.error && (
        <PreviewProblem error={preview.error} onRetry={() => void preview.refetch()} onBack={onBack} />
      )}
      {!isChecking && !preview.error && preview.data && (
        <ConfirmForm
          request={request}
          result={preview.data}
          previousNumber={isRefused ? previousNumber : undefined}
          error={isRefused ? undefined : change.error}
          isChanging={change.isPending}
          onConfirm={(confirm) => change.mutate(confirm)}
          onBack={onBack}
        />
      )}
    </Stack>
  );
}

function Checking() {
  return (
    <Stack align="center" p="lg" role="status">
      <Loader aria-hidden />
      <Text size="sm">{copy.loading}</Text>
    </Stack>
  );
}

interface PreviewProblemProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onBack: () => void;
}

function PreviewProblem({ error, onRetry, onBack }: PreviewProblemProps) {
  return (
    <>
      {isRollcallError(error, 'CALL_MATCHES_TOO_MANY') && error.data.limit !== undefined ? (
        <Notice color="red" role="alert" title={copy.cannotPreview}>
          {copy.tooMany(error.data.limit)}
        </Notice>
      ) : (
        <Problem
          title={copy.cannotPreview}
          error={error}
          onRetry={isRollcallError(error, 'DIRECTORY_ENTRY_EXISTS') ? undefined : onRetry}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {commonCopy.back}
        </Button>
      </Group>
    </>
  );
}

interface ConfirmFormProps {
  readonly request: MatchingRequest;
  readonly result: MatchingResult;
  /** The number that was confirmed, if it has changed since. */
  readonly previousNumber: number | undefined;
  readonly error: unknown;
  readonly isChanging: boolean;
  readonly onConfirm: (matched: number) => void;
  readonly onBack: () => void;
}

function ConfirmForm(props: ConfirmFormProps) {
  const { request, result, previousNumber, error, isChanging, onConfirm, onBack } = props;
  const [typed, setTyped] = useState('');
  const { matched, changed, unchanged, failed } = countMatching(result.report);
  const isPossible = changed > 0 || (request.doneWithoutUsers !== undefined && matched === 0);
  const isTyped = request.isTyped === true && isPossible;
  const isConfirmed = isPossible && (!isTyped || typed.replace(/\D/g, '') === String(changed));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) onConfirm(matched);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {previousNumber !== undefined && (
          <Notice color="yellow" role="alert">
            {copy.numberChanged(previousNumber, matched)}
          </Notice>
        )}
        <div role="status">
          <Text fw={600}>
            {changed === 0 ? copy.nothing : (request.willChange ?? copy.willChange)(changed)}
          </Text>
          {unchanged > 0 && <Text>{copy.willStay(unchanged)}</Text>}
          {failed > 0 && <Text>{copy.willFail(failed)}</Text>}
        </div>
        {changed > 0 && request.warning !== undefined && (
          <Notice color="yellow" role="status">
            {request.warning}
          </Notice>
        )}
        {changed > 0 && request.plan && <Text size="sm">{planText(request.plan)}</Text>}
        <MatchingTables report={result.report} step="preview" />
        <ActionProblem title={copy.failed} error={error} />
        {isTyped && (
          <TextInput
            label={copy.typeToConfirm(changed)}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maw={220}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            {commonCopy.back}
          </Button>
          <Button type="submit" disabled={!isConfirmed} loading={isChanging}>
            {(request.plan ? planAction(request.plan) : request.confirm)(changed)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
