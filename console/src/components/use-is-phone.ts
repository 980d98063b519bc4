import { useMediaQuery } from '@mantine/hooks';

/** Whether a table has room for two columns only. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) === true;
}
