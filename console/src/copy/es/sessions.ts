import type { sessionsCopy as english } from '../en/sessions.js';
import type { Translation } from '../translation.js';

export const sessionsCopy: Translation<typeof english> = {
  title: 'Dónde ha iniciado sesión',
  table: 'Sesiones, las más recientes primero',
  lead: 'Si no reconoce alguna sesión, ciérrela y cambie su contraseña.',
  device: 'Dispositivo',
  unknownDevice: 'Dispositivo desconocido',
  address: 'Dirección IP',
  signedIn: 'Inicio',
  lastSeen: 'Último uso',
  actions: 'Acciones',
  current: 'Esta sesión',
  end: 'Cerrar',
  endOf: (device) => `Cerrar la sesión de ${device}`,
  endOthers: 'Cerrar todas las demás sesiones',
  ended: 'Sesión cerrada.',
  allEnded: 'Se han cerrado todas las demás sesiones.',
  notEnded: 'No se ha podido cerrar la sesión',
};
