import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { applicationsCopy } from '../copy/account-copy.js';
import { applicationSignInQuery } from './application-sign-in.js';

/** Says on the sign-in page where it leads. */
export function ApplicationName({ id }: { id: string }) {
  const { data } = useQuery(applicationSignInQuery(id));
  if (!data) return null;
  return (
    <Text size="sm" mb="md">
      {applicationsCopy.signIn.to(data.applicationName)}
    </Text>
  );
}
