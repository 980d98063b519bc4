import type { noticesCopy as english } from '../en/notices.js';
import type { Translation } from '../translation.js';

export const noticesCopy: Translation<typeof english> = {
  title: 'Avisos',
  lead: (email) => `Rollcall envía estos correos a ${email}.`,
  noEmail:
    'La cuenta no tiene correo electrónico, así que no recibe avisos. Un administrador puede añadir uno.',
  topics: {
    feedFailed: 'Un feed ha fallado.',
    feedStopped: 'Un feed se ha detenido y espera aprobación.',
    feedDigest: 'Una vez al día, un resumen de lo que han hecho los feeds.',
    callApproval: 'Un cambio masivo programado por otra persona espera aprobación.',
    callDecided: 'Se ha aprobado o rechazado un cambio masivo programado por la cuenta.',
    webhookDisabled: 'Se ha desactivado un webhook porque su receptor fallaba continuamente.',
    scimTargetFailing: 'No se pueden enviar usuarios a un servicio conectado, o se ha pausado por ello.',
    scimDeactivationLimit: 'Un proveedor de identidad ha alcanzado su límite de desactivaciones.',
    backupFailed: 'Ha fallado una copia de seguridad programada.',
  },
  cannotLoad: 'No se pudieron cargar los avisos',
  notChanged: 'No se pudieron cambiar los avisos',
};
