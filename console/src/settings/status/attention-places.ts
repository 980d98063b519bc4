import type { ServiceStatus } from './status-groups.js';

export type AttentionKind = ServiceStatus['attention'][number]['kind'];

/** Where in the console something can be done about it. Other things are mended where the service runs. */
export const attentionPlaces: Readonly<Partial<Record<AttentionKind, string>>> = {
  messagesParked: '/activity/deliveries?state=parked',
  messagesDelayed: '/activity/deliveries?state=waiting',
  webhooksDisabled: '/settings/webhooks',
  webhooksFailing: '/settings/webhooks',
  callsDelayed: '/activity/calls?state=planned',
  callsNeedTakeover: '/activity/calls?state=planned',
  callsNeedApproval: '/activity/calls?state=awaitingApproval',
};
