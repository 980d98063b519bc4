import type { Schemas } from '@rollcall/client';

type Settings = Pick<Schemas['SettingsReply']['data'], 'emailDelivery' | 'smsDelivery'>;

/** Which messages reach nobody, because the service only writes them to files. */
export function unsentMessages({
  emailDelivery,
  smsDelivery,
}: Settings): 'all' | 'email' | 'sms' | undefined {
  if (emailDelivery === 'files') return smsDelivery === 'files' ? 'all' : 'email';
  return smsDelivery === 'files' ? 'sms' : undefined;
}
