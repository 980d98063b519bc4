import { Alert, type AlertProps } from '@mantine/core';

/** In yellow, with a title that can be read on it. */
export function Warning(props: Pick<AlertProps, 'title' | 'children'>) {
  return <Alert {...props} color="yellow" styles={{ title: { color: 'var(--mantine-color-text)' } }} />;
}
