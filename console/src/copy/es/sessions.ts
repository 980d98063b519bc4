import type { sessionsCopy as english } from '../en/sessions.js';
import { formatNumber } from '../format.js';
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
  all: {
    lead: 'Quienes tienen la sesión iniciada en este momento.',
    user: 'Usuario',
    onlyUser: 'Filtrado por usuario:',
    method: 'Inicio con',
    methods: { password: 'Contraseña', passkey: 'Llave de acceso', provider: 'Inicio de sesión único' },
    empty: 'Nadie tiene la sesión iniciada',
    emptyOfUser: 'Este usuario no tiene ninguna sesión iniciada',
    endOfUser: 'Cerrar todas las sesiones de este usuario',
    endEverybody: 'Cerrar la sesión de todos',
    confirmTitle: '¿Cerrar la sesión de todos?',
    confirmText:
      'Todos, excepto usted, tendrán que volver a iniciar sesión. Lo que no hayan guardado en su navegador se conserva. Los clientes de API continúan.',
    done: (count) => (count === 1 ? '1 sesión cerrada.' : `${formatNumber(count)} sesiones cerradas.`),
    open: 'Sesiones',
  },
};
