import type { outageCopy as english } from '../en/outage.js';
import type { Translation } from '../translation.js';

export const outageCopy: Translation<typeof english> = {
  waiting: 'No se puede acceder al servicio. Reconectando…',
  pageFailed: 'No se pudo mostrar esta página',
  pageFailedHint:
    'Hay que volver a cargar la página. Si el problema continúa, conviene avisar al administrador.',
  reload: 'Volver a cargar la página',
  notFoundHint: 'Puede que el enlace sea incorrecto o que la página se haya movido.',
  toStart: 'Ir a la página de inicio',
};
